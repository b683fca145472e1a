CREATE TABLE "account" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"venue" text NOT NULL,
	"mode" text NOT NULL,
	"sequence" bigint DEFAULT 0 NOT NULL
);--> statement-breakpoint
CREATE TABLE "strategy" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"mode" text NOT NULL,
	"params" jsonb,
	"version" integer DEFAULT 0 NOT NULL,
	"state" text NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"updated_by" text NOT NULL,
	"switched_at" bigint,
	"switched_by" text
);--> statement-breakpoint
ALTER TABLE "account" ADD CONSTRAINT "account_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "strategy" ADD CONSTRAINT "strategy_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "account_venue_key" ON "account" USING btree ("user_id","venue","mode");--> statement-breakpoint
CREATE INDEX "strategy_user_idx" ON "strategy" USING btree ("user_id");--> statement-breakpoint
-- Until now everybody had one account at most, which the venue knows by the user's id: it keeps that id.
INSERT INTO "account" ("id", "user_id", "venue", "mode", "sequence")
SELECT u."user_id", u."user_id", 'simulated', 'paper', coalesce(b."sequence", 0)
FROM (
	SELECT "user_id" FROM "book" UNION SELECT "user_id" FROM "hedge" UNION SELECT "user_id" FROM "trade_order"
	UNION SELECT "user_id" FROM "fill" UNION SELECT "user_id" FROM "ledger" UNION SELECT "user_id" FROM "equity_point"
) u LEFT JOIN "book" b ON b."user_id" = u."user_id";--> statement-breakpoint
INSERT INTO "strategy" ("user_id", "kind", "name", "mode", "params", "version", "state", "created_at", "updated_at", "updated_by", "switched_at", "switched_by")
SELECT o."id", 'hedge', '对冲', 'paper', c."settings", coalesce(c."version", 0),
	CASE WHEN b."enabled" THEN 'running' WHEN b."switched_at" IS NULL THEN 'stopped' ELSE 'paused' END,
	coalesce(least(c."updated_at", (SELECT min(l."at") FROM "ledger" l WHERE l."user_id" = o."id")), o."created_at"),
	coalesce(c."updated_at", o."created_at"), coalesce(c."updated_by", o."name"), b."switched_at", b."switched_by"
FROM (
	SELECT "user_id" FROM "book" UNION SELECT "user_id" FROM "hedge_config" UNION SELECT "user_id" FROM "hedge_pair"
	UNION SELECT "user_id" FROM "hedge"
) u
JOIN "app_user" o ON o."id" = u."user_id"
LEFT JOIN "book" b ON b."user_id" = u."user_id"
LEFT JOIN "hedge_config" c ON c."user_id" = u."user_id";--> statement-breakpoint
DROP TABLE "hedge_config";--> statement-breakpoint
ALTER TABLE "book" DROP COLUMN "enabled";--> statement-breakpoint
ALTER TABLE "book" DROP COLUMN "switched_at";--> statement-breakpoint
ALTER TABLE "book" DROP COLUMN "switched_by";--> statement-breakpoint
ALTER TABLE "book" DROP COLUMN "sequence";--> statement-breakpoint
ALTER TABLE "hedge_pair" RENAME TO "target";--> statement-breakpoint
ALTER TABLE "target" RENAME CONSTRAINT "hedge_pair_pkey" TO "target_pkey";--> statement-breakpoint
ALTER TABLE "target" RENAME CONSTRAINT "hedge_pair_user_id_app_user_id_fk" TO "target_user_id_app_user_id_fk";--> statement-breakpoint
ALTER TABLE "target" ADD COLUMN "strategy_id" uuid;--> statement-breakpoint
ALTER TABLE "target" ADD COLUMN "legs" jsonb;--> statement-breakpoint
UPDATE "target" t SET "strategy_id" = s."id", "legs" = jsonb_build_array(
	jsonb_build_object('leg', 'long', 'source', t."source", 'symbol', t."long"),
	jsonb_build_object('leg', 'short', 'source', t."source", 'symbol', t."short")
) FROM "strategy" s WHERE s."user_id" = t."user_id";--> statement-breakpoint
ALTER TABLE "target" ALTER COLUMN "strategy_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "target" ALTER COLUMN "legs" SET NOT NULL;--> statement-breakpoint
DROP INDEX "hedge_pair_standing_key";--> statement-breakpoint
ALTER TABLE "target" DROP COLUMN "source";--> statement-breakpoint
ALTER TABLE "target" DROP COLUMN "long";--> statement-breakpoint
ALTER TABLE "target" DROP COLUMN "short";--> statement-breakpoint
ALTER TABLE "target" ADD CONSTRAINT "target_strategy_id_strategy_id_fk" FOREIGN KEY ("strategy_id") REFERENCES "public"."strategy"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "target_user_idx" ON "target" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "target_standing_key" ON "target" USING btree ("strategy_id","legs") WHERE removed_at is null;--> statement-breakpoint
ALTER TABLE "hedge" RENAME TO "deal";--> statement-breakpoint
ALTER TABLE "deal" RENAME CONSTRAINT "hedge_pkey" TO "deal_pkey";--> statement-breakpoint
ALTER TABLE "deal" RENAME CONSTRAINT "hedge_user_id_app_user_id_fk" TO "deal_user_id_app_user_id_fk";--> statement-breakpoint
ALTER TABLE "deal" RENAME CONSTRAINT "hedge_pair_id_hedge_pair_id_fk" TO "deal_target_id_target_id_fk";--> statement-breakpoint
ALTER INDEX "hedge_user_idx" RENAME TO "deal_user_idx";--> statement-breakpoint
ALTER INDEX "hedge_created_idx" RENAME TO "deal_created_idx";--> statement-breakpoint
ALTER INDEX "hedge_user_state_idx" RENAME TO "deal_user_state_idx";--> statement-breakpoint
ALTER INDEX "hedge_running_idx" RENAME TO "deal_running_idx";--> statement-breakpoint
ALTER TABLE "deal" RENAME COLUMN "pair_id" TO "target_id";--> statement-breakpoint
ALTER TABLE "deal" RENAME COLUMN "settings" TO "params";--> statement-breakpoint
ALTER TABLE "deal" RENAME COLUMN "z_open" TO "signal_open";--> statement-breakpoint
ALTER TABLE "deal" RENAME COLUMN "z_close" TO "signal_close";--> statement-breakpoint
CREATE TABLE "deal_leg" (
	"deal_id" uuid NOT NULL,
	"leg" text NOT NULL,
	"user_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"source" text NOT NULL,
	"symbol" text NOT NULL,
	"side" text NOT NULL,
	"weight" double precision NOT NULL,
	"mid_open" double precision,
	"quantity" numeric DEFAULT '0' NOT NULL,
	"cost" numeric DEFAULT '0' NOT NULL,
	"opened" numeric DEFAULT '0' NOT NULL,
	"notional" numeric DEFAULT '0' NOT NULL,
	"realised" numeric DEFAULT '0' NOT NULL,
	"funding" numeric DEFAULT '0' NOT NULL,
	"fees" numeric DEFAULT '0' NOT NULL,
	"slippage" numeric DEFAULT '0' NOT NULL,
	"exit" numeric,
	CONSTRAINT "deal_leg_deal_id_leg_pk" PRIMARY KEY("deal_id","leg")
);--> statement-breakpoint
-- What each leg has received, paid and lost to the spread is booked by symbol. What is not of the first leg is of the
-- second, so that both together are what the hedge had to the last digit.
WITH booked AS (
	SELECT h."id", coalesce(sum(l."amount") FILTER (WHERE l."kind" = 'funding'), 0) AS "funding",
		coalesce(-sum(l."amount") FILTER (WHERE l."kind" = 'fee'), 0) AS "fees"
	FROM "deal" h JOIN "ledger" l ON l."hedge_id" = h."id" AND l."source" = h."source" AND l."symbol" = h."long"
	GROUP BY h."id"
), slipped AS (
	SELECT f."hedge_id" AS "id", sum((f."price" - o."decision_mid"::text::numeric)
		* CASE f."side" WHEN 'buy' THEN f."quantity" ELSE -f."quantity" END) AS "slippage"
	FROM "fill" f JOIN "trade_order" o ON o."id" = f."order_id" WHERE o."leg" = 'long' AND f."hedge_id" IS NOT NULL
	GROUP BY f."hedge_id"
), both_legs AS (
	SELECT h.*, coalesce(b."funding", 0) AS "first_funding", coalesce(b."fees", 0) AS "first_fees",
		coalesce(s."slippage", 0) AS "first_slippage"
	FROM "deal" h LEFT JOIN booked b ON b."id" = h."id" LEFT JOIN slipped s ON s."id" = h."id"
)
INSERT INTO "deal_leg" ("deal_id", "leg", "user_id", "account_id", "source", "symbol", "side", "weight", "mid_open", "quantity", "cost", "opened", "notional", "realised", "funding", "fees", "slippage", "exit")
SELECT "id", 'long', "user_id", "user_id", "source", "long", 'long', 1, "long_mid_open", "long_quantity", "long_cost", "long_opened", "long_notional", "long_realised", "first_funding", "first_fees", "first_slippage", "long_exit" FROM both_legs
UNION ALL
SELECT "id", 'short', "user_id", "user_id", "source", "short", 'short', "ratio", "short_mid_open", "short_quantity", "short_cost", "short_opened", "short_notional", "short_realised", "funding" - "first_funding", "fees" - "first_fees", "slippage" - "first_slippage", "short_exit" FROM both_legs;--> statement-breakpoint
ALTER TABLE "deal" DROP COLUMN "source";--> statement-breakpoint
ALTER TABLE "deal" DROP COLUMN "long";--> statement-breakpoint
ALTER TABLE "deal" DROP COLUMN "short";--> statement-breakpoint
ALTER TABLE "deal" DROP COLUMN "ratio";--> statement-breakpoint
ALTER TABLE "deal" DROP COLUMN "long_mid_open";--> statement-breakpoint
ALTER TABLE "deal" DROP COLUMN "short_mid_open";--> statement-breakpoint
ALTER TABLE "deal" DROP COLUMN "long_quantity";--> statement-breakpoint
ALTER TABLE "deal" DROP COLUMN "long_cost";--> statement-breakpoint
ALTER TABLE "deal" DROP COLUMN "short_quantity";--> statement-breakpoint
ALTER TABLE "deal" DROP COLUMN "short_cost";--> statement-breakpoint
ALTER TABLE "deal" DROP COLUMN "long_opened";--> statement-breakpoint
ALTER TABLE "deal" DROP COLUMN "short_opened";--> statement-breakpoint
ALTER TABLE "deal" DROP COLUMN "long_notional";--> statement-breakpoint
ALTER TABLE "deal" DROP COLUMN "short_notional";--> statement-breakpoint
ALTER TABLE "deal" DROP COLUMN "long_realised";--> statement-breakpoint
ALTER TABLE "deal" DROP COLUMN "short_realised";--> statement-breakpoint
ALTER TABLE "deal" DROP COLUMN "funding";--> statement-breakpoint
ALTER TABLE "deal" DROP COLUMN "fees";--> statement-breakpoint
ALTER TABLE "deal" DROP COLUMN "slippage";--> statement-breakpoint
ALTER TABLE "deal" DROP COLUMN "long_exit";--> statement-breakpoint
ALTER TABLE "deal" DROP COLUMN "short_exit";--> statement-breakpoint
ALTER TABLE "deal" ADD COLUMN "strategy_id" uuid;--> statement-breakpoint
UPDATE "deal" d SET "strategy_id" = s."id" FROM "strategy" s WHERE s."user_id" = d."user_id";--> statement-breakpoint
ALTER TABLE "deal" ALTER COLUMN "strategy_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "deal" ADD CONSTRAINT "deal_strategy_id_strategy_id_fk" FOREIGN KEY ("strategy_id") REFERENCES "public"."strategy"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deal_leg" ADD CONSTRAINT "deal_leg_deal_id_deal_id_fk" FOREIGN KEY ("deal_id") REFERENCES "public"."deal"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deal_leg" ADD CONSTRAINT "deal_leg_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deal_leg" ADD CONSTRAINT "deal_leg_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deal_leg_user_idx" ON "deal_leg" USING btree ("user_id");--> statement-breakpoint
ALTER TABLE "hedge_event" RENAME TO "deal_event";--> statement-breakpoint
ALTER TABLE "deal_event" RENAME COLUMN "hedge_id" TO "deal_id";--> statement-breakpoint
ALTER TABLE "deal_event" RENAME CONSTRAINT "hedge_event_pkey" TO "deal_event_pkey";--> statement-breakpoint
ALTER TABLE "deal_event" RENAME CONSTRAINT "hedge_event_hedge_id_hedge_id_fk" TO "deal_event_deal_id_deal_id_fk";--> statement-breakpoint
ALTER INDEX "hedge_event_hedge_idx" RENAME TO "deal_event_deal_idx";--> statement-breakpoint
ALTER SEQUENCE "hedge_event_id_seq" RENAME TO "deal_event_id_seq";--> statement-breakpoint
ALTER TRIGGER "hedge_event_only_grows" ON "deal_event" RENAME TO "deal_event_only_grows";--> statement-breakpoint
ALTER TABLE "trade_order" RENAME COLUMN "hedge_id" TO "deal_id";--> statement-breakpoint
ALTER TABLE "trade_order" RENAME CONSTRAINT "trade_order_hedge_id_hedge_id_fk" TO "trade_order_deal_id_deal_id_fk";--> statement-breakpoint
ALTER INDEX "trade_order_hedge_idx" RENAME TO "trade_order_deal_idx";--> statement-breakpoint
ALTER TABLE "fill" RENAME COLUMN "hedge_id" TO "deal_id";--> statement-breakpoint
ALTER TABLE "fill" RENAME CONSTRAINT "fill_hedge_id_hedge_id_fk" TO "fill_deal_id_deal_id_fk";--> statement-breakpoint
ALTER INDEX "fill_hedge_idx" RENAME TO "fill_deal_idx";--> statement-breakpoint
ALTER TABLE "ledger" RENAME COLUMN "hedge_id" TO "deal_id";--> statement-breakpoint
ALTER TABLE "ledger" RENAME CONSTRAINT "ledger_hedge_id_hedge_id_fk" TO "ledger_deal_id_deal_id_fk";--> statement-breakpoint
ALTER INDEX "ledger_hedge_idx" RENAME TO "ledger_deal_idx";--> statement-breakpoint
ALTER TABLE "trade_order" ADD COLUMN "account_id" uuid;--> statement-breakpoint
-- Not by UPDATE, which rows that only grow refuse.
ALTER TABLE "trade_order" ALTER COLUMN "account_id" SET DATA TYPE uuid USING "user_id";--> statement-breakpoint
ALTER TABLE "trade_order" ALTER COLUMN "account_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "trade_order" ADD CONSTRAINT "trade_order_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fill" ADD COLUMN "account_id" uuid;--> statement-breakpoint
ALTER TABLE "fill" ALTER COLUMN "account_id" SET DATA TYPE uuid USING "user_id";--> statement-breakpoint
ALTER TABLE "fill" ALTER COLUMN "account_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "fill" ADD CONSTRAINT "fill_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger" ADD COLUMN "account_id" uuid;--> statement-breakpoint
ALTER TABLE "ledger" ALTER COLUMN "account_id" SET DATA TYPE uuid USING "user_id";--> statement-breakpoint
ALTER TABLE "ledger" ALTER COLUMN "account_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "ledger" ADD CONSTRAINT "ledger_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "equity_point" ADD COLUMN "account_id" uuid;--> statement-breakpoint
ALTER TABLE "equity_point" ALTER COLUMN "account_id" SET DATA TYPE uuid USING "user_id";--> statement-breakpoint
ALTER TABLE "equity_point" ALTER COLUMN "account_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "equity_point" ADD CONSTRAINT "equity_point_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trade_order" ADD COLUMN "slot" text;--> statement-breakpoint
CREATE UNIQUE INDEX "trade_order_slot_key" ON "trade_order" USING btree ("deal_id","slot") WHERE state in ('registered', 'open', 'inDoubt');--> statement-breakpoint
ALTER TABLE "ledger" ADD COLUMN "asset" text DEFAULT 'USDT' NOT NULL;--> statement-breakpoint
DROP INDEX "ledger_reference_key";--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_reference_key" ON "ledger" USING btree ("account_id","reference");--> statement-breakpoint
ALTER TABLE "equity_point" DROP CONSTRAINT "equity_point_user_id_at_pk";--> statement-breakpoint
ALTER TABLE "equity_point" ADD CONSTRAINT "equity_point_account_id_at_pk" PRIMARY KEY("account_id","at");--> statement-breakpoint
CREATE INDEX "equity_point_user_idx" ON "equity_point" USING btree ("user_id","at");--> statement-breakpoint
CREATE VIEW "public"."hedge" AS (
  select d.id, d.user_id, d.target_id as pair_id, l.source, l.symbol as long, s.symbol as short, d.state, d.state_at,
    d.created_at, d.opened_at, d.closed_at, d.close_reason, d.close_asked_at, d.close_asked_by, d.flatten_asked_at,
    d.entry_cancelled_at, d.frozen, d.params as settings, s.weight as ratio, d.signal_open as z_open,
    d.signal_close as z_close, l.quantity as long_quantity, l.cost as long_cost, s.quantity as short_quantity,
    s.cost as short_cost, l.opened as long_opened, s.opened as short_opened, l.notional as long_notional,
    s.notional as short_notional, l.realised as long_realised, s.realised as short_realised,
    l.funding + s.funding as funding, l.fees + s.fees as fees, l.slippage + s.slippage as slippage,
    l.exit as long_exit, s.exit as short_exit, d.mae, d.mfe, d.naked, d.one_leg_since, d.note, d.note_by, d.note_at
  from deal d
  join strategy k on k.id = d.strategy_id and k.kind = 'hedge'
  left join deal_leg l on l.deal_id = d.id and l.leg = 'long' and l.user_id = d.user_id
  left join deal_leg s on s.deal_id = d.id and s.leg = 'short' and s.user_id = d.user_id);
