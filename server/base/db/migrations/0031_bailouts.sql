-- What a venue pays of a loss beyond the equity was booked as money from outside. A paper account's first event alone is that.
UPDATE "paper_event" SET "event" = jsonb_set("event", '{kind}', '"bailout"') WHERE "event" ->> 'kind' = 'transfer' AND "sequence" > 1;--> statement-breakpoint
-- Not what money did changes, but what it is called.
ALTER TABLE "ledger" DISABLE TRIGGER "ledger_only_grows";--> statement-breakpoint
UPDATE "ledger" l SET "kind" = 'bailout' FROM "paper_event" e
	WHERE l."kind" = 'transfer' AND e."account" = l."account_id"::text AND e."event" ->> 'kind' = 'bailout' AND l."reference" = 'transfer:' || e."sequence";--> statement-breakpoint
ALTER TABLE "ledger" ENABLE TRIGGER "ledger_only_grows";--> statement-breakpoint
-- Of the record it is price PnL, as everything is that no sum of its own has.
UPDATE "equity_point" p SET "transfers" = p."transfers" - b."amount", "long_pnl" = p."long_pnl" + b."amount"
	FROM (
		SELECT q."account_id", q."at", sum(l."amount")::double precision AS "amount" FROM "equity_point" q
		JOIN "ledger" l ON l."account_id" = q."account_id" AND l."kind" = 'bailout' AND l."at" <= q."at"
		GROUP BY q."account_id", q."at"
	) b WHERE b."account_id" = p."account_id" AND b."at" = p."at";
