DROP INDEX "equity_point_at_idx";--> statement-breakpoint
CREATE INDEX "equity_point_midnight_idx" ON "equity_point" USING btree ("at") WHERE at % 86400000 = 0;