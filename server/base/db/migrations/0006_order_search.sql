CREATE INDEX "hedge_created_idx" ON "hedge" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "trade_order_exchange_idx" ON "trade_order" USING btree ("exchange_id");