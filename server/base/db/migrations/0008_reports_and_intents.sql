ALTER TABLE "paper_order" ALTER COLUMN "order" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "paper_order" ALTER COLUMN "report" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "demo_story" ADD COLUMN "teller" text;--> statement-breakpoint
ALTER TABLE "demo_story" ADD COLUMN "told_at" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "hedge" ADD COLUMN "flatten_asked_at" bigint;--> statement-breakpoint
ALTER TABLE "hedge" ADD COLUMN "entry_cancelled_at" bigint;--> statement-breakpoint
ALTER TABLE "trade_order" ADD COLUMN "reported_quantity" numeric DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "trade_order" ADD COLUMN "reported_state" text;--> statement-breakpoint
UPDATE "trade_order" SET "reported_quantity" = "filled_quantity";--> statement-breakpoint
UPDATE "hedge" h SET "flatten_asked_at" = b."flatten_asked_at" FROM "book" b
WHERE b."user_id" = h."user_id" AND h."created_at" <= b."flatten_asked_at" AND h."state" NOT IN ('closed', 'failed');
