ALTER TABLE "live_journal" ADD COLUMN "trouble" text;--> statement-breakpoint
ALTER TABLE "live_journal" ADD COLUMN "trouble_reason" text;--> statement-breakpoint
ALTER TABLE "live_journal" ADD COLUMN "troubled_at" bigint;--> statement-breakpoint
ALTER TABLE "live_journal" ADD COLUMN "recovered_at" bigint;