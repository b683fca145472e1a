-- Stock of strategies that are there stays unhedged until somebody switches the hedge on.
UPDATE "strategy" SET "params" = "params" || '{"hedge": false}'::jsonb WHERE "kind" = 'okx' AND "params" IS NOT NULL AND NOT "params" ? 'hedge';
--> statement-breakpoint
UPDATE "deal" SET "params" = "deal"."params" || '{"hedge": false}'::jsonb FROM "strategy"
WHERE "strategy"."id" = "deal"."strategy_id" AND "strategy"."kind" = 'okx' AND NOT "deal"."params" ? 'hedge';
--> statement-breakpoint
-- The loss of a day counts stock from here on: what it is counted from is looked up anew.
UPDATE "strategy_guard" SET "loss_from" = NULL, "loss_base" = NULL, "resumed_net" = NULL FROM "strategy"
WHERE "strategy"."id" = "strategy_guard"."strategy_id" AND "strategy"."kind" = 'okx';
