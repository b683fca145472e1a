ALTER TABLE "webhook" ALTER COLUMN "url" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook" ADD COLUMN "masked" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook" ADD COLUMN "ended_at" bigint;