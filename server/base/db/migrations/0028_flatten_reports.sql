CREATE TABLE "flatten" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"at" bigint NOT NULL,
	"by_id" uuid NOT NULL,
	"by" text NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"scope" text NOT NULL,
	"user_id" uuid,
	"strategy_id" uuid
);
--> statement-breakpoint
CREATE TABLE "flatten_deal" (
	"flatten_id" uuid NOT NULL,
	"deal_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"legs" jsonb NOT NULL,
	"notional" double precision,
	"cost" double precision,
	"net" double precision,
	CONSTRAINT "flatten_deal_flatten_id_deal_id_pk" PRIMARY KEY("flatten_id","deal_id")
);
--> statement-breakpoint
ALTER TABLE "strategy" ADD COLUMN "self_managed_at" bigint;--> statement-breakpoint
ALTER TABLE "strategy" ADD COLUMN "self_managed_by" text;--> statement-breakpoint
ALTER TABLE "flatten" ADD CONSTRAINT "flatten_by_id_app_user_id_fk" FOREIGN KEY ("by_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flatten" ADD CONSTRAINT "flatten_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flatten" ADD CONSTRAINT "flatten_strategy_id_strategy_id_fk" FOREIGN KEY ("strategy_id") REFERENCES "public"."strategy"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flatten_deal" ADD CONSTRAINT "flatten_deal_flatten_id_flatten_id_fk" FOREIGN KEY ("flatten_id") REFERENCES "public"."flatten"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flatten_deal" ADD CONSTRAINT "flatten_deal_deal_id_deal_id_fk" FOREIGN KEY ("deal_id") REFERENCES "public"."deal"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flatten_deal" ADD CONSTRAINT "flatten_deal_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "flatten_at_idx" ON "flatten" USING btree ("at");--> statement-breakpoint
CREATE INDEX "flatten_deal_user_idx" ON "flatten_deal" USING btree ("user_id");