CREATE TABLE "reconciliation" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL,
	"verdict" text NOT NULL,
	"said" text[] NOT NULL
);
--> statement-breakpoint
ALTER TABLE "reconciliation" ADD CONSTRAINT "reconciliation_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
SELECT pgboss.create_queue('reconcile', '{"policy":"short","retryLimit":5,"retryDelay":60,"retryBackoff":true,"expireInSeconds":3600}');
