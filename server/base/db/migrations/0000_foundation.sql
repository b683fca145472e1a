CREATE TABLE "candle" (
	"source" text NOT NULL,
	"symbol" text NOT NULL,
	"bar" text NOT NULL,
	"year" integer NOT NULL,
	"count" integer NOT NULL,
	"first_at" bigint NOT NULL,
	"last_at" bigint NOT NULL,
	"time" "bytea" NOT NULL,
	"open" "bytea" NOT NULL,
	"high" "bytea" NOT NULL,
	"low" "bytea" NOT NULL,
	"close" "bytea" NOT NULL,
	"volume" "bytea" NOT NULL,
	"turnover" "bytea" NOT NULL,
	CONSTRAINT "candle_source_symbol_bar_year_pk" PRIMARY KEY("source","symbol","bar","year")
);
--> statement-breakpoint
CREATE TABLE "evaluate" (
	"source" text NOT NULL,
	"symbol" text NOT NULL,
	"direction" text,
	"note" text DEFAULT '' NOT NULL,
	"updated_by" uuid NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "evaluate_source_symbol_pk" PRIMARY KEY("source","symbol")
);
--> statement-breakpoint
CREATE TABLE "evaluate_edit" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"source" text NOT NULL,
	"symbol" text NOT NULL,
	"field" text NOT NULL,
	"before" text NOT NULL,
	"after" text NOT NULL,
	"price" double precision,
	"author_id" uuid NOT NULL,
	"at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "instrument" (
	"source" text NOT NULL,
	"symbol" text NOT NULL,
	"base" text NOT NULL,
	"quote" text NOT NULL,
	"imported_at" bigint NOT NULL,
	CONSTRAINT "instrument_source_symbol_pk" PRIMARY KEY("source","symbol")
);
--> statement-breakpoint
CREATE TABLE "login_failure" (
	"key" text PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"first_at" bigint NOT NULL,
	"locked_until" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "session" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" bigint NOT NULL,
	"seen_at" bigint NOT NULL,
	"address" text NOT NULL,
	"user_agent" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app_user" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"role" text NOT NULL,
	"password_hash" text NOT NULL,
	"blocked" boolean DEFAULT false NOT NULL,
	"created_at" bigint NOT NULL,
	"last_login_at" bigint
);
--> statement-breakpoint
ALTER TABLE "evaluate" ADD CONSTRAINT "evaluate_updated_by_app_user_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evaluate_edit" ADD CONSTRAINT "evaluate_edit_author_id_app_user_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session" ADD CONSTRAINT "session_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "evaluate_edit_symbol_idx" ON "evaluate_edit" USING btree ("source","symbol","at");--> statement-breakpoint
CREATE INDEX "session_user_idx" ON "session" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "app_user_name_key" ON "app_user" USING btree (lower("name"));