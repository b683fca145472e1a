CREATE TABLE "book" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"revision" bigint DEFAULT 0 NOT NULL,
	"enabled" boolean DEFAULT false NOT NULL,
	"switched_at" bigint,
	"switched_by" text,
	"paused_at" bigint,
	"paused_by" text,
	"pause_reason" text,
	"loss_lifted_day" bigint,
	"flatten_asked_at" bigint,
	"flatten_asked_by" text,
	"lease_holder" text,
	"lease_token" bigint DEFAULT 0 NOT NULL,
	"lease_until" bigint DEFAULT 0 NOT NULL,
	"sequence" bigint DEFAULT 0 NOT NULL,
	"day" bigint,
	"day_equity" numeric
);
--> statement-breakpoint
CREATE TABLE "equity_point" (
	"user_id" uuid NOT NULL,
	"at" bigint NOT NULL,
	"equity" double precision NOT NULL,
	"transfers" double precision NOT NULL,
	"funding" double precision NOT NULL,
	"fees" double precision NOT NULL,
	"slippage" double precision NOT NULL,
	"traded" double precision NOT NULL,
	"long_pnl" double precision NOT NULL,
	"short_pnl" double precision NOT NULL,
	"net" double precision NOT NULL,
	"gross" double precision NOT NULL,
	"btc" double precision,
	CONSTRAINT "equity_point_user_id_at_pk" PRIMARY KEY("user_id","at")
);
--> statement-breakpoint
CREATE TABLE "fill" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"order_id" text NOT NULL,
	"hedge_id" uuid,
	"source" text NOT NULL,
	"symbol" text NOT NULL,
	"side" text NOT NULL,
	"quantity" numeric NOT NULL,
	"price" numeric NOT NULL,
	"fee" numeric NOT NULL,
	"maker" boolean NOT NULL,
	"realised" numeric NOT NULL,
	"at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "hedge" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"pair_id" uuid NOT NULL,
	"source" text NOT NULL,
	"long" text NOT NULL,
	"short" text NOT NULL,
	"state" text NOT NULL,
	"state_at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"opened_at" bigint,
	"closed_at" bigint,
	"close_reason" text,
	"close_asked_at" bigint,
	"close_asked_by" text,
	"frozen" text,
	"settings" jsonb NOT NULL,
	"ratio" double precision NOT NULL,
	"z_open" double precision,
	"z_close" double precision,
	"long_mid_open" double precision,
	"short_mid_open" double precision,
	"long_quantity" numeric DEFAULT '0' NOT NULL,
	"long_cost" numeric DEFAULT '0' NOT NULL,
	"short_quantity" numeric DEFAULT '0' NOT NULL,
	"short_cost" numeric DEFAULT '0' NOT NULL,
	"long_opened" numeric DEFAULT '0' NOT NULL,
	"short_opened" numeric DEFAULT '0' NOT NULL,
	"long_notional" numeric DEFAULT '0' NOT NULL,
	"short_notional" numeric DEFAULT '0' NOT NULL,
	"long_realised" numeric DEFAULT '0' NOT NULL,
	"short_realised" numeric DEFAULT '0' NOT NULL,
	"funding" numeric DEFAULT '0' NOT NULL,
	"fees" numeric DEFAULT '0' NOT NULL,
	"slippage" numeric DEFAULT '0' NOT NULL,
	"long_exit" numeric,
	"short_exit" numeric,
	"mae" double precision,
	"mfe" double precision,
	"naked" double precision DEFAULT 0 NOT NULL,
	"one_leg_since" bigint,
	"attempts" integer DEFAULT 0 NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"note_by" text,
	"note_at" bigint
);
--> statement-breakpoint
CREATE TABLE "hedge_config" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"version" integer NOT NULL,
	"settings" jsonb NOT NULL,
	"updated_at" bigint NOT NULL,
	"updated_by" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "hedge_event" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "hedge_event_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"hedge_id" uuid NOT NULL,
	"at" bigint NOT NULL,
	"kind" text NOT NULL,
	"detail" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "hedge_pair" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"source" text NOT NULL,
	"long" text NOT NULL,
	"short" text NOT NULL,
	"created_at" bigint NOT NULL,
	"removed_at" bigint,
	"armed_at" bigint NOT NULL,
	"used_arm_at" bigint,
	"triggered_at" bigint,
	"block" text
);
--> statement-breakpoint
CREATE TABLE "idempotency" (
	"user_id" uuid NOT NULL,
	"call" text NOT NULL,
	"key" text NOT NULL,
	"body_hash" text NOT NULL,
	"answer" text,
	"created_at" bigint NOT NULL,
	CONSTRAINT "idempotency_user_id_call_key_pk" PRIMARY KEY("user_id","call","key")
);
--> statement-breakpoint
CREATE TABLE "kill_switch" (
	"id" text PRIMARY KEY NOT NULL,
	"paused_at" bigint,
	"paused_by" text,
	"reason" text
);
--> statement-breakpoint
CREATE TABLE "ledger" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" uuid NOT NULL,
	"hedge_id" uuid,
	"kind" text NOT NULL,
	"source" text DEFAULT '' NOT NULL,
	"symbol" text DEFAULT '' NOT NULL,
	"amount" numeric NOT NULL,
	"quantity" numeric,
	"price" numeric,
	"rate" numeric,
	"reference" text NOT NULL,
	"at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "paper_account" (
	"account" text PRIMARY KEY NOT NULL,
	"cash" numeric NOT NULL,
	"sequence" bigint DEFAULT 0 NOT NULL,
	"funded_until" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "paper_event" (
	"account" text NOT NULL,
	"sequence" bigint NOT NULL,
	"event" jsonb NOT NULL,
	CONSTRAINT "paper_event_account_sequence_pk" PRIMARY KEY("account","sequence")
);
--> statement-breakpoint
CREATE TABLE "paper_order" (
	"client_id" text PRIMARY KEY NOT NULL,
	"account" text NOT NULL,
	"order" jsonb NOT NULL,
	"report" jsonb NOT NULL,
	"resting" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "paper_position" (
	"account" text NOT NULL,
	"source" text NOT NULL,
	"symbol" text NOT NULL,
	"quantity" numeric NOT NULL,
	"leverage" double precision NOT NULL,
	CONSTRAINT "paper_position_account_source_symbol_pk" PRIMARY KEY("account","source","symbol")
);
--> statement-breakpoint
CREATE TABLE "trade_order" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"hedge_id" uuid,
	"source" text NOT NULL,
	"symbol" text NOT NULL,
	"leg" text NOT NULL,
	"side" text NOT NULL,
	"type" text NOT NULL,
	"purpose" text NOT NULL,
	"reduce_only" boolean NOT NULL,
	"quantity" numeric NOT NULL,
	"limit_price" numeric NOT NULL,
	"decision_mid" double precision NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"filled_quantity" numeric DEFAULT '0' NOT NULL,
	"filled_notional" numeric DEFAULT '0' NOT NULL,
	"fee" numeric DEFAULT '0' NOT NULL,
	"exchange_id" text,
	"cancel_asked_at" bigint,
	"created_at" bigint NOT NULL,
	"sent_at" bigint,
	"answered_at" bigint,
	"ended_at" bigint
);
--> statement-breakpoint
ALTER TABLE "app_user" ADD COLUMN "binance_id" text;--> statement-breakpoint
ALTER TABLE "book" ADD CONSTRAINT "book_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "equity_point" ADD CONSTRAINT "equity_point_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fill" ADD CONSTRAINT "fill_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fill" ADD CONSTRAINT "fill_order_id_trade_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."trade_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fill" ADD CONSTRAINT "fill_hedge_id_hedge_id_fk" FOREIGN KEY ("hedge_id") REFERENCES "public"."hedge"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hedge" ADD CONSTRAINT "hedge_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hedge" ADD CONSTRAINT "hedge_pair_id_hedge_pair_id_fk" FOREIGN KEY ("pair_id") REFERENCES "public"."hedge_pair"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hedge_config" ADD CONSTRAINT "hedge_config_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hedge_event" ADD CONSTRAINT "hedge_event_hedge_id_hedge_id_fk" FOREIGN KEY ("hedge_id") REFERENCES "public"."hedge"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hedge_pair" ADD CONSTRAINT "hedge_pair_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency" ADD CONSTRAINT "idempotency_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger" ADD CONSTRAINT "ledger_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger" ADD CONSTRAINT "ledger_hedge_id_hedge_id_fk" FOREIGN KEY ("hedge_id") REFERENCES "public"."hedge"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trade_order" ADD CONSTRAINT "trade_order_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trade_order" ADD CONSTRAINT "trade_order_hedge_id_hedge_id_fk" FOREIGN KEY ("hedge_id") REFERENCES "public"."hedge"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "equity_point_at_idx" ON "equity_point" USING btree ("at");--> statement-breakpoint
CREATE INDEX "fill_at_idx" ON "fill" USING btree ("at");--> statement-breakpoint
CREATE INDEX "fill_user_idx" ON "fill" USING btree ("user_id","at");--> statement-breakpoint
CREATE INDEX "fill_order_idx" ON "fill" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "fill_hedge_idx" ON "fill" USING btree ("hedge_id");--> statement-breakpoint
CREATE INDEX "hedge_user_idx" ON "hedge" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "hedge_running_idx" ON "hedge" USING btree ("user_id") WHERE state not in ('closed', 'failed');--> statement-breakpoint
CREATE INDEX "hedge_event_hedge_idx" ON "hedge_event" USING btree ("hedge_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "hedge_pair_standing_key" ON "hedge_pair" USING btree ("user_id","source","long","short") WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX "idempotency_created_idx" ON "idempotency" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_reference_key" ON "ledger" USING btree ("user_id","reference");--> statement-breakpoint
CREATE INDEX "ledger_user_idx" ON "ledger" USING btree ("user_id","at");--> statement-breakpoint
CREATE INDEX "ledger_hedge_idx" ON "ledger" USING btree ("hedge_id");--> statement-breakpoint
CREATE INDEX "ledger_at_idx" ON "ledger" USING btree ("at");--> statement-breakpoint
CREATE INDEX "paper_order_resting_idx" ON "paper_order" USING btree ("account") WHERE resting;--> statement-breakpoint
CREATE INDEX "trade_order_created_idx" ON "trade_order" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "trade_order_user_idx" ON "trade_order" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "trade_order_hedge_idx" ON "trade_order" USING btree ("hedge_id");--> statement-breakpoint
CREATE INDEX "trade_order_live_idx" ON "trade_order" USING btree ("user_id") WHERE state in ('registered', 'open', 'inDoubt');--> statement-breakpoint
-- What money did is history: corrections are new rows.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '% rows are never changed', TG_TABLE_NAME; END $$;--> statement-breakpoint
CREATE TRIGGER ledger_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER fill_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON "fill" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER hedge_event_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON "hedge_event" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
