ALTER TABLE "account_transfer" ADD COLUMN "asset" text DEFAULT 'USDT' NOT NULL;--> statement-breakpoint
ALTER TABLE "account_transfer" ADD COLUMN "from_symbol" text;--> statement-breakpoint
ALTER TABLE "account_transfer" ADD COLUMN "to_symbol" text;--> statement-breakpoint
ALTER TABLE "account_transfer" ADD COLUMN "price" numeric;--> statement-breakpoint
ALTER TABLE "deal" ADD COLUMN "mend_way" text;--> statement-breakpoint
ALTER TABLE "deal" ADD COLUMN "mend_asked_at" bigint;--> statement-breakpoint
ALTER TABLE "strategy" ADD COLUMN "once_asked_at" bigint;--> statement-breakpoint
UPDATE "strategy" SET "params" = '{"compound":false}'::jsonb || "params" WHERE "kind" = 'grid' AND "params" IS NOT NULL;--> statement-breakpoint
UPDATE "deal" SET "params" = '{"compound":false}'::jsonb || "deal"."params" FROM "strategy" WHERE "strategy"."id" = "deal"."strategy_id" AND "strategy"."kind" = 'grid';--> statement-breakpoint
UPDATE "strategy" SET "params" = '{"auto":true,"dailyNotional":null,"banned":[]}'::jsonb || "params" WHERE "kind" = 'okx' AND "params" IS NOT NULL;--> statement-breakpoint
UPDATE "deal" SET "params" = '{"auto":true,"dailyNotional":null,"banned":[]}'::jsonb || "deal"."params" FROM "strategy" WHERE "strategy"."id" = "deal"."strategy_id" AND "strategy"."kind" = 'okx';
