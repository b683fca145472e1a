CREATE TABLE "star" (
	"user_id" uuid NOT NULL,
	"coin" text NOT NULL,
	CONSTRAINT "star_user_id_coin_pk" PRIMARY KEY("user_id","coin")
);
--> statement-breakpoint
ALTER TABLE "star" ADD CONSTRAINT "star_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;