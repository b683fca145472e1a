CREATE TABLE "live_event" (
	"account_id" uuid NOT NULL,
	"sequence" bigint NOT NULL,
	"name" text NOT NULL,
	"event" jsonb NOT NULL,
	CONSTRAINT "live_event_account_id_sequence_pk" PRIMARY KEY("account_id","sequence")
);
--> statement-breakpoint
CREATE TABLE "live_journal" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"since" bigint NOT NULL,
	"sequence" bigint NOT NULL,
	"cursors" jsonb NOT NULL,
	"revision" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "live_order" (
	"client_id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"source" text DEFAULT '' NOT NULL,
	"symbol" text DEFAULT '' NOT NULL,
	"deadline" bigint DEFAULT 0 NOT NULL,
	"notional" numeric DEFAULT '0' NOT NULL,
	"report" jsonb
);
--> statement-breakpoint
ALTER TABLE "live_event" ADD CONSTRAINT "live_event_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "live_journal" ADD CONSTRAINT "live_journal_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "live_order" ADD CONSTRAINT "live_order_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "live_event_name_key" ON "live_event" USING btree ("account_id","name");--> statement-breakpoint
CREATE INDEX "live_order_account_idx" ON "live_order" USING btree ("account_id","symbol");