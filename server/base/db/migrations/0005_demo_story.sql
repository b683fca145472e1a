CREATE TABLE "demo_story" (
	"id" text PRIMARY KEY NOT NULL,
	"until" bigint NOT NULL,
	"done" boolean NOT NULL
);
