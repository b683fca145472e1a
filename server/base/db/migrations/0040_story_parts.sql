INSERT INTO "demo_story" ("id", "until", "done") SELECT part, "until", "done" FROM "demo_story", unnest(ARRAY['strategies', 'hedges']) AS part WHERE "id" = 'story';--> statement-breakpoint
DELETE FROM "demo_story" WHERE "id" = 'story';
