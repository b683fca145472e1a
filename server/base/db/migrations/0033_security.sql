CREATE TABLE "security" (
	"id" text PRIMARY KEY NOT NULL,
	"master_factor" boolean DEFAULT false NOT NULL,
	"registration" boolean DEFAULT true NOT NULL
);
--> statement-breakpoint
ALTER TABLE "session" ADD COLUMN "proven_at" bigint DEFAULT 0 NOT NULL;