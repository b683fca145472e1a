ALTER TABLE "deal" ADD COLUMN "reduction" jsonb;--> statement-breakpoint
ALTER TABLE "deal" ADD COLUMN "reduced_at" bigint;