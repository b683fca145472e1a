CREATE TABLE "account_transfer" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"from_id" uuid NOT NULL,
	"to_id" uuid NOT NULL,
	"amount" numeric NOT NULL,
	"fee" numeric NOT NULL,
	"travel_ms" bigint NOT NULL,
	"state" text DEFAULT 'asked' NOT NULL,
	"asked_at" bigint NOT NULL,
	"left_at" bigint,
	"arrived_at" bigint,
	"reason" text
);
--> statement-breakpoint
ALTER TABLE "account" ADD COLUMN "name" text DEFAULT '主账户' NOT NULL;--> statement-breakpoint
ALTER TABLE "equity_point" ADD COLUMN "moved" double precision DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "account_transfer" ADD CONSTRAINT "account_transfer_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_transfer" ADD CONSTRAINT "account_transfer_from_id_account_id_fk" FOREIGN KEY ("from_id") REFERENCES "public"."account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_transfer" ADD CONSTRAINT "account_transfer_to_id_account_id_fk" FOREIGN KEY ("to_id") REFERENCES "public"."account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_transfer_user_idx" ON "account_transfer" USING btree ("user_id","asked_at");--> statement-breakpoint
CREATE INDEX "account_transfer_live_idx" ON "account_transfer" USING btree ("user_id") WHERE state in ('asked', 'transit');--> statement-breakpoint
CREATE UNIQUE INDEX "paper_event_move_key" ON "paper_event" USING btree ("account",(event ->> 'moveId')) WHERE event ->> 'kind' = 'move';