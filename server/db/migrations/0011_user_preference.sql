CREATE TABLE "user_preference" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"rise" text,
	"numbers" text,
	"muted_kinds" text[] DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
ALTER TABLE "user_preference" ADD CONSTRAINT "user_preference_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;