ALTER TABLE "login_attempt" ADD COLUMN "times" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "login_attempt" ADD COLUMN "first_at" bigint;--> statement-breakpoint
ALTER TABLE "login_attempt" ADD COLUMN "tally" text;--> statement-breakpoint
CREATE INDEX "equity_point_fine_idx" ON "equity_point" USING btree ("at") WHERE at % 3600000 <> 0;--> statement-breakpoint
CREATE UNIQUE INDEX "login_attempt_tally_key" ON "login_attempt" USING btree ("tally");--> statement-breakpoint
CREATE INDEX "paper_order_ended_idx" ON "paper_order" USING btree (((report ->> 'at')::bigint)) WHERE not resting;