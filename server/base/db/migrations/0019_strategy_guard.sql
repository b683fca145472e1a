CREATE TABLE "strategy_event" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "strategy_event_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"strategy_id" uuid NOT NULL,
	"at" bigint NOT NULL,
	"kind" text NOT NULL,
	"detail" text NOT NULL,
	"by" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "strategy_guard" (
	"strategy_id" uuid PRIMARY KEY NOT NULL,
	"max_drawdown" double precision,
	"daily_loss" double precision,
	"max_notional" double precision,
	"tripped" text,
	"tripped_at" bigint,
	"resumed_at" bigint,
	"resumed_net" double precision
);
--> statement-breakpoint
ALTER TABLE "strategy_event" ADD CONSTRAINT "strategy_event_strategy_id_strategy_id_fk" FOREIGN KEY ("strategy_id") REFERENCES "public"."strategy"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "strategy_guard" ADD CONSTRAINT "strategy_guard_strategy_id_strategy_id_fk" FOREIGN KEY ("strategy_id") REFERENCES "public"."strategy"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "strategy_event_at_idx" ON "strategy_event" USING btree ("at");--> statement-breakpoint
CREATE INDEX "strategy_event_strategy_idx" ON "strategy_event" USING btree ("strategy_id","at");--> statement-breakpoint
CREATE INDEX "deal_strategy_idx" ON "deal" USING btree ("strategy_id","created_at");--> statement-breakpoint
CREATE INDEX "deal_event_at_idx" ON "deal_event" USING btree ("at");