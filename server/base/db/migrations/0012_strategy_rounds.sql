ALTER TABLE "deal" ADD COLUMN "opening" jsonb;--> statement-breakpoint
ALTER TABLE "strategy" ADD COLUMN "removed_at" bigint;--> statement-breakpoint
ALTER TABLE "target" ADD COLUMN "rounds" integer DEFAULT 0 NOT NULL;