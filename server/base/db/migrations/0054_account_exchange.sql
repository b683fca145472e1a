ALTER TABLE "account" ADD COLUMN "exchange_uid" text;--> statement-breakpoint
CREATE UNIQUE INDEX "account_exchange_key" ON "account" USING btree ("venue","mode","exchange_uid");