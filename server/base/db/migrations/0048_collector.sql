CREATE TABLE "collector" (
	"source" text PRIMARY KEY NOT NULL,
	"holder" text,
	"lease_until" bigint DEFAULT 0 NOT NULL,
	"progress" jsonb
);
