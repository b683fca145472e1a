ALTER TABLE "book" ADD COLUMN "failing_since" bigint;--> statement-breakpoint
ALTER TABLE "book" ADD COLUMN "failing_what" text;--> statement-breakpoint
ALTER TABLE "book" ADD COLUMN "failing_until" bigint;