CREATE INDEX "fill_account_idx" ON "fill" USING btree ("account_id","at");--> statement-breakpoint
CREATE INDEX "fill_symbol_idx" ON "fill" USING btree ("symbol","at");--> statement-breakpoint
CREATE INDEX "ledger_user_row_idx" ON "ledger" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "trade_order_account_idx" ON "trade_order" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "trade_order_symbol_idx" ON "trade_order" USING btree ("symbol","created_at");