CREATE TABLE "simulated_law" (
	"law" integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
-- Where somebody has traded, prices stay what they were.
INSERT INTO "simulated_law" SELECT CASE WHEN EXISTS (SELECT FROM "app_user") THEN 1 ELSE 2 END;
