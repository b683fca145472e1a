ALTER TABLE "api_key" ADD COLUMN "failures" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "api_key" ADD COLUMN "failing_since" bigint;--> statement-breakpoint
ALTER TABLE "api_key" ADD COLUMN "rights_seen" jsonb;--> statement-breakpoint
ALTER TABLE "api_key" ADD COLUMN "rights_before" jsonb;--> statement-breakpoint
ALTER TABLE "api_key" ADD COLUMN "rights_changed_at" bigint;--> statement-breakpoint
ALTER TABLE "notification_setting" ADD COLUMN "webhook_off" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "notification_setting" ADD COLUMN "browser" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "notification_setting" ADD COLUMN "browser_off" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "session" ADD COLUMN "viewed_user_id" uuid;--> statement-breakpoint
ALTER TABLE "user_preference" ADD COLUMN "time_zone" text;--> statement-breakpoint
ALTER TABLE "session" ADD CONSTRAINT "session_viewed_user_id_app_user_id_fk" FOREIGN KEY ("viewed_user_id") REFERENCES "public"."app_user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
-- What was muted was not sent either.
UPDATE "notification_setting" SET "webhook_off" = "muted";