CREATE TABLE "api_key" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"exchange" text NOT NULL,
	"name" text NOT NULL,
	"sub_account" text,
	"tail" text NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"report" jsonb,
	"used_at" bigint,
	"created_at" bigint NOT NULL,
	"rotated_at" bigint
);
--> statement-breakpoint
CREATE TABLE "secret" (
	"purpose" text NOT NULL,
	"record_id" uuid NOT NULL,
	"master_id" text NOT NULL,
	"wrapped_key" text NOT NULL,
	"sealed" text NOT NULL,
	CONSTRAINT "secret_purpose_record_id_pk" PRIMARY KEY("purpose","record_id")
);
--> statement-breakpoint
ALTER TABLE "account" ADD COLUMN "api_key_id" uuid;--> statement-breakpoint
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "api_key_name_key" ON "api_key" USING btree ("user_id","exchange",lower("name"));--> statement-breakpoint
ALTER TABLE "account" ADD CONSTRAINT "account_api_key_id_api_key_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_key"("id") ON DELETE set null ON UPDATE no action;