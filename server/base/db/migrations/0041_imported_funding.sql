CREATE TABLE "funding" (
	"source" text NOT NULL,
	"symbol" text NOT NULL,
	"hours" integer NOT NULL,
	"time" "bytea" NOT NULL,
	"rate" "bytea" NOT NULL,
	CONSTRAINT "funding_source_symbol_pk" PRIMARY KEY("source","symbol")
);
