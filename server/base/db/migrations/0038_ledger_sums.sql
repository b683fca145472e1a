CREATE TABLE "ledger_day" (
	"user_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"day" bigint NOT NULL,
	"kind" text NOT NULL,
	"amount" numeric NOT NULL,
	"traded" numeric NOT NULL,
	CONSTRAINT "ledger_day_account_id_day_kind_pk" PRIMARY KEY("account_id","day","kind")
);
--> statement-breakpoint
CREATE TABLE "ledger_total" (
	"user_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"asset" text NOT NULL,
	"source" text NOT NULL,
	"symbol" text NOT NULL,
	"amount" numeric NOT NULL,
	"traded" numeric NOT NULL,
	"quantity" numeric NOT NULL,
	"last_id" bigint NOT NULL,
	CONSTRAINT "ledger_total_account_id_kind_asset_source_symbol_pk" PRIMARY KEY("account_id","kind","asset","source","symbol")
);
--> statement-breakpoint
DROP INDEX "ledger_transfer_idx";--> statement-breakpoint
ALTER TABLE "ledger_day" ADD CONSTRAINT "ledger_day_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_day" ADD CONSTRAINT "ledger_day_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_total" ADD CONSTRAINT "ledger_total_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_total" ADD CONSTRAINT "ledger_total_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ledger_day_user_idx" ON "ledger_day" USING btree ("user_id","day");--> statement-breakpoint
CREATE INDEX "ledger_total_user_idx" ON "ledger_total" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "ledger_money_idx" ON "ledger" USING btree ("user_id","at","id") WHERE kind in ('transfer', 'move', 'bailout');--> statement-breakpoint
-- By the rights of the tables' owner: who books need not be able to write what the sums are.
CREATE FUNCTION sum_ledger() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO ledger_total AS t (user_id, account_id, kind, asset, source, symbol, amount, traded, quantity, last_id)
  SELECT user_id, account_id, kind, asset, source, symbol, sum(amount), sum(abs(amount)), coalesce(sum(quantity), 0), max(id)
  FROM added GROUP BY user_id, account_id, kind, asset, source, symbol ORDER BY account_id, kind, asset, source, symbol
  ON CONFLICT (account_id, kind, asset, source, symbol) DO UPDATE SET amount = t.amount + excluded.amount,
    traded = t.traded + excluded.traded, quantity = t.quantity + excluded.quantity, last_id = greatest(t.last_id, excluded.last_id);
  INSERT INTO ledger_day AS d (user_id, account_id, day, kind, amount, traded)
  SELECT user_id, account_id, at / 86400000 * 86400000, kind, sum(amount), sum(abs(amount))
  FROM added GROUP BY user_id, account_id, at / 86400000, kind ORDER BY account_id, at / 86400000, kind
  ON CONFLICT (account_id, day, kind) DO UPDATE SET amount = d.amount + excluded.amount, traded = d.traded + excluded.traded;
  RETURN NULL;
END $$;--> statement-breakpoint
INSERT INTO ledger_total SELECT user_id, account_id, kind, asset, source, symbol, sum(amount), sum(abs(amount)), coalesce(sum(quantity), 0), max(id)
FROM ledger GROUP BY user_id, account_id, kind, asset, source, symbol;--> statement-breakpoint
INSERT INTO ledger_day SELECT user_id, account_id, at / 86400000 * 86400000, kind, sum(amount), sum(abs(amount))
FROM ledger GROUP BY user_id, account_id, at / 86400000, kind;--> statement-breakpoint
CREATE TRIGGER ledger_summed AFTER INSERT ON "ledger" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION sum_ledger();
