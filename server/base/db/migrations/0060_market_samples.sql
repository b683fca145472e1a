CREATE TABLE "market_sample" (
	"source" text NOT NULL,
	"symbol" text NOT NULL,
	"at" bigint NOT NULL,
	"interest" double precision,
	"interest_usdt" double precision,
	"premium" double precision,
	CONSTRAINT "market_sample_source_symbol_at_pk" PRIMARY KEY("source","symbol","at")
);
--> statement-breakpoint
CREATE INDEX "market_sample_at_idx" ON "market_sample" USING btree ("at");