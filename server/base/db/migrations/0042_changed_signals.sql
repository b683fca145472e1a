-- These kinds are judged by expected funding from here on: what waits for its signal is not opened because the formula changed.
UPDATE "target" SET "hold" = 'confirm', "held_at" = (extract(epoch from now()) * 1000)::bigint, "held_by" = '引擎', "block" = 'unconfirmed'
FROM "strategy"
WHERE "strategy"."id" = "target"."strategy_id" AND "strategy"."kind" IN ('fundingRate', 'cexRate', 'spread') AND "strategy"."state" = 'running'
  AND "target"."hold" IS NULL AND "target"."removed_at" IS NULL
  AND NOT EXISTS (SELECT 1 FROM "deal" WHERE "deal"."target_id" = "target"."id" AND "deal"."state" NOT IN ('closed', 'failed'));
