ALTER TABLE "live_order" ADD COLUMN "rests" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "live_order_rests_idx" ON "live_order" USING btree ("account_id") WHERE rests;--> statement-breakpoint
UPDATE "live_order" SET "rests" = true WHERE "quantity" <> 0 AND "symbol" NOT LIKE '%\_SPOT' AND ("report" IS NULL OR "report" ->> 'state' = 'open');
