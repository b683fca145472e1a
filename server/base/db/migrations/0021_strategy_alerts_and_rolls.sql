CREATE TABLE "strategy_alert" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "strategy_alert_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" uuid NOT NULL,
	"strategy_id" uuid NOT NULL,
	"subject" uuid NOT NULL,
	"word" text NOT NULL,
	"level" text NOT NULL,
	"title" text NOT NULL,
	"text" text NOT NULL,
	"at" bigint NOT NULL,
	"ended_at" bigint
);
--> statement-breakpoint
ALTER TABLE "deal" ADD COLUMN "roll_asked_at" bigint;--> statement-breakpoint
ALTER TABLE "deal" ADD COLUMN "roll_tried_at" bigint;--> statement-breakpoint
ALTER TABLE "deal" ADD COLUMN "rolled_from" uuid;--> statement-breakpoint
ALTER TABLE "deal" ADD COLUMN "even_asked_at" bigint;--> statement-breakpoint
ALTER TABLE "strategy_alert" ADD CONSTRAINT "strategy_alert_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "strategy_alert" ADD CONSTRAINT "strategy_alert_strategy_id_strategy_id_fk" FOREIGN KEY ("strategy_id") REFERENCES "public"."strategy"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "strategy_alert_at_idx" ON "strategy_alert" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "strategy_alert_standing_key" ON "strategy_alert" USING btree ("subject","word") WHERE ended_at is null;--> statement-breakpoint
ALTER TABLE "deal" ADD CONSTRAINT "deal_rolled_from_deal_id_fk" FOREIGN KEY ("rolled_from") REFERENCES "public"."deal"("id") ON DELETE no action ON UPDATE no action;