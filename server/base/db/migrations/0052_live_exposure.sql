ALTER TABLE "live_journal" ADD COLUMN "held" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "live_order" ADD COLUMN "quantity" numeric DEFAULT '0' NOT NULL;--> statement-breakpoint
CREATE INDEX "live_event_order_idx" ON "live_event" USING btree ((event ->> 'clientId')) WHERE event ->> 'clientId' is not null;--> statement-breakpoint
CREATE INDEX "live_event_at_idx" ON "live_event" USING btree ("account_id",((event ->> 'at')::bigint));