ALTER TABLE "book" ADD COLUMN "daily_loss_limit" double precision;--> statement-breakpoint
ALTER TABLE "book" ADD COLUMN "unvalued" text;--> statement-breakpoint
ALTER TABLE "strategy_guard" ADD COLUMN "tripped_by" text;--> statement-breakpoint
ALTER TABLE "strategy_guard" ADD COLUMN "loss_from" bigint;--> statement-breakpoint
ALTER TABLE "strategy_guard" ADD COLUMN "loss_base" double precision;--> statement-breakpoint
UPDATE "book" SET "daily_loss_limit" = "tightest"."limit" FROM (SELECT "user_id", min(("params" ->> 'dailyLossLimit')::double precision) AS "limit" FROM "strategy" WHERE "removed_at" IS NULL AND "params" IS NOT NULL GROUP BY "user_id") AS "tightest" WHERE "tightest"."user_id" = "book"."user_id" AND "tightest"."limit" IS NOT NULL;--> statement-breakpoint
UPDATE "strategy_guard" SET "tripped_by" = CASE WHEN "tripped" LIKE '回撤%' THEN 'maxDrawdown' WHEN "tripped" LIKE '单日亏损%' THEN 'dailyLoss' WHEN "tripped" LIKE '名义%' THEN 'maxNotional' END WHERE "tripped" IS NOT NULL;
