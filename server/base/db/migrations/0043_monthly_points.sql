-- Points of equity lie in partitions by month: what is older than it is kept goes with its table. All that there is until
-- the month after this one ends up in one, as it is.
DROP INDEX "equity_point_fine_idx";--> statement-breakpoint
ALTER TABLE "equity_point" RENAME TO "equity_point_before";--> statement-breakpoint
ALTER TABLE "equity_point_before" RENAME CONSTRAINT "equity_point_account_id_at_pk" TO "equity_point_before_pk";--> statement-breakpoint
ALTER INDEX "equity_point_user_idx" RENAME TO "equity_point_before_user_idx";--> statement-breakpoint
ALTER INDEX "equity_point_midnight_idx" RENAME TO "equity_point_before_midnight_idx";--> statement-breakpoint
CREATE TABLE "equity_point" (LIKE "equity_point_before" INCLUDING DEFAULTS) PARTITION BY RANGE ("at");--> statement-breakpoint
ALTER TABLE "equity_point" ADD CONSTRAINT "equity_point_account_id_at_pk" PRIMARY KEY ("account_id", "at");--> statement-breakpoint
ALTER TABLE "equity_point" ADD CONSTRAINT "equity_point_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "equity_point" ADD CONSTRAINT "equity_point_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "equity_point_user_idx" ON "equity_point" USING btree ("user_id","at");--> statement-breakpoint
CREATE INDEX "equity_point_midnight_idx" ON "equity_point" USING btree ("at") WHERE at % 86400000 = 0;--> statement-breakpoint
CREATE FUNCTION month_after(at bigint) RETURNS bigint LANGUAGE sql IMMUTABLE
RETURN (extract(epoch FROM date_trunc('month', to_timestamp(at / 1000) AT TIME ZONE 'utc') + interval '1 month') * 1000)::bigint;--> statement-breakpoint
DO $$ BEGIN
	EXECUTE format('ALTER TABLE equity_point ATTACH PARTITION equity_point_before FOR VALUES FROM (MINVALUE) TO (%s)',
		month_after(greatest((extract(epoch FROM now()) * 1000)::bigint, (SELECT max(at) FROM equity_point_before))));
END $$;--> statement-breakpoint
-- What comes before its month has a partition.
CREATE TABLE "equity_point_later" PARTITION OF "equity_point" DEFAULT;--> statement-breakpoint
-- The partitions with the instants at which they end, which follow one another without a gap.
CREATE FUNCTION equity_point_parts() RETURNS TABLE (name text, bounds text, until bigint) LANGUAGE sql STABLE
SET search_path = public, pg_temp AS $$
	SELECT relname::text, bounds, substring(bounds FROM 'TO \(''(-?\d+)''\)')::bigint AS until
	FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid, pg_get_expr(relpartbound, c.oid) AS bounds
	WHERE inhparent = 'equity_point'::regclass AND bounds <> 'DEFAULT' ORDER BY until
$$;--> statement-breakpoint
-- Makes the partitions of the months that begin within the next two. The server's role need not own the tables.
CREATE FUNCTION equity_point_ahead(now bigint) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE
	two_months CONSTANT bigint := 62::bigint * 86400000;
	since bigint;
	till bigint;
	name text;
BEGIN
	LOOP
		SELECT max(until) INTO since FROM equity_point_parts();
		EXIT WHEN since > now + two_months;
		LOCK TABLE equity_point IN SHARE UPDATE EXCLUSIVE MODE;
		-- Another process may have made it meanwhile.
		CONTINUE WHEN since < (SELECT max(until) FROM equity_point_parts());
		till := month_after(since);
		name := 'equity_point_' || to_char(to_timestamp(since / 1000) AT TIME ZONE 'utc', 'YYYY_MM');
		EXECUTE format('CREATE TABLE %I (LIKE equity_point INCLUDING ALL)', name);
		EXECUTE format('WITH moved AS (DELETE FROM equity_point_later WHERE at >= %s AND at < %s RETURNING *)
			INSERT INTO %I SELECT * FROM moved', since, till, name);
		EXECUTE format('ALTER TABLE equity_point ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', name, since, till);
	END LOOP;
END $$;--> statement-breakpoint
-- Puts the first points of each hour in the place of the oldest partition that ended before an instant and has them all.
CREATE FUNCTION equity_point_thin(before bigint) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE
	part record;
	had bigint;
	kept bigint;
BEGIN
	SELECT * INTO part FROM equity_point_parts() p WHERE p.until <= before AND p.name NOT LIKE '%\_hourly' ORDER BY p.until LIMIT 1;
	IF NOT FOUND THEN
		RETURN 0;
	END IF;
	-- Whoever waits longer makes everybody wait who reads after him: it is tried again in an hour.
	SET LOCAL lock_timeout = '2s';
	EXECUTE format('LOCK TABLE %I IN SHARE ROW EXCLUSIVE MODE', part.name);
	EXECUTE format('CREATE TABLE %I (LIKE equity_point INCLUDING ALL)', part.name || '_hourly');
	EXECUTE format('INSERT INTO %I SELECT DISTINCT ON (account_id, at / 3600000) * FROM %I
		ORDER BY account_id, at / 3600000, at', part.name || '_hourly', part.name);
	GET DIAGNOSTICS kept = ROW_COUNT;
	EXECUTE format('SELECT count(*) FROM %I', part.name) INTO had;
	EXECUTE format('ALTER TABLE equity_point DETACH PARTITION %I', part.name);
	EXECUTE format('DROP TABLE %I', part.name);
	EXECUTE format('ALTER TABLE equity_point ATTACH PARTITION %I %s', part.name || '_hourly', part.bounds);
	RETURN had - kept;
END $$;
