ALTER TABLE "webhook" ADD COLUMN "channel" text DEFAULT 'webhook' NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook" DROP CONSTRAINT "webhook_pkey";--> statement-breakpoint
ALTER TABLE "webhook" ADD CONSTRAINT "webhook_user_id_channel_pk" PRIMARY KEY("user_id","channel");
