ALTER TABLE "deal" ADD COLUMN "thaw_asked_at" bigint;--> statement-breakpoint
ALTER TABLE "deal" ADD COLUMN "thaw_asked_by" text;--> statement-breakpoint
ALTER TABLE "deal" ADD COLUMN "thaw_reason" text;--> statement-breakpoint
ALTER TABLE "deal" ADD COLUMN "thaw_tried_at" bigint;--> statement-breakpoint
ALTER TABLE "strategy" ADD COLUMN "note" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "strategy" ADD COLUMN "note_by" text;--> statement-breakpoint
ALTER TABLE "strategy" ADD COLUMN "note_at" bigint;