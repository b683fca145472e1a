ALTER TABLE "target" ADD COLUMN "hold" text;--> statement-breakpoint
ALTER TABLE "target" ADD COLUMN "held_at" bigint;--> statement-breakpoint
ALTER TABLE "target" ADD COLUMN "held_by" text;