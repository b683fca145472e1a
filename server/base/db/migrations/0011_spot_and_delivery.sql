ALTER TABLE "fill" ADD COLUMN "fee_in_base" numeric DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "paper_position" ADD COLUMN "cost" numeric DEFAULT '0' NOT NULL;--> statement-breakpoint
-- What the books say that each position has cost: until now nobody asked the venue for it.
UPDATE "paper_position" p SET "cost" = l.cost FROM (
  SELECT account_id::text AS account, source, symbol, sum(cost) AS cost FROM deal_leg GROUP BY 1, 2, 3
) l WHERE l.account = p.account AND l.source = p.source AND l.symbol = p.symbol;
