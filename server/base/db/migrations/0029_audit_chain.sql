CREATE TABLE "audit_chain" (
	"log" text PRIMARY KEY NOT NULL,
	"position" bigint NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "audit" ADD COLUMN "position" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "audit" ADD COLUMN "hash" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_result" ADD COLUMN "position" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_result" ADD COLUMN "hash" text DEFAULT '' NOT NULL;--> statement-breakpoint
-- Of columns that a later version adds, those that are null say nothing: the hash of an old row stays what it was.
CREATE FUNCTION chained_hash(previous text, entry jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(sha256(convert_to(previous || jsonb_strip_nulls(entry - 'hash')::text, 'UTF8')), 'hex')
$$;--> statement-breakpoint
-- By the rights of the tables' owner: who adds rows need not be able to write where the chain ends.
CREATE FUNCTION chain_entry() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE tip audit_chain;
BEGIN
  SELECT * INTO STRICT tip FROM audit_chain WHERE log = TG_TABLE_NAME FOR UPDATE;
  NEW.position := tip.position + 1;
  NEW.hash := chained_hash(tip.hash, to_jsonb(NEW));
  UPDATE audit_chain SET position = NEW.position, hash = NEW.hash WHERE log = TG_TABLE_NAME;
  RETURN NEW;
END $$;--> statement-breakpoint
INSERT INTO "audit_chain" VALUES ('audit', 0, ''), ('audit_result', 0, '');--> statement-breakpoint
ALTER TABLE "audit" DISABLE TRIGGER audit_only_grows;--> statement-breakpoint
ALTER TABLE "audit_result" DISABLE TRIGGER audit_result_only_grows;--> statement-breakpoint
DO $$
DECLARE
  entry record;
  tip text := '';
  reached bigint := 0;
BEGIN
  FOR entry IN SELECT id FROM audit ORDER BY id LOOP
    reached := reached + 1;
    UPDATE audit SET position = reached WHERE id = entry.id;
    UPDATE audit a SET hash = chained_hash(tip, to_jsonb(a)) WHERE id = entry.id RETURNING hash INTO tip;
  END LOOP;
  UPDATE audit_chain SET position = reached, hash = tip WHERE log = 'audit';
  tip := '';
  reached := 0;
  FOR entry IN SELECT audit_id FROM audit_result ORDER BY audit_id LOOP
    reached := reached + 1;
    UPDATE audit_result SET position = reached WHERE audit_id = entry.audit_id;
    UPDATE audit_result a SET hash = chained_hash(tip, to_jsonb(a)) WHERE audit_id = entry.audit_id RETURNING hash INTO tip;
  END LOOP;
  UPDATE audit_chain SET position = reached, hash = tip WHERE log = 'audit_result';
END $$;--> statement-breakpoint
ALTER TABLE "audit" ENABLE TRIGGER audit_only_grows;--> statement-breakpoint
ALTER TABLE "audit_result" ENABLE TRIGGER audit_result_only_grows;--> statement-breakpoint
CREATE TRIGGER audit_chained BEFORE INSERT ON "audit" FOR EACH ROW EXECUTE FUNCTION chain_entry();--> statement-breakpoint
CREATE TRIGGER audit_result_chained BEFORE INSERT ON "audit_result" FOR EACH ROW EXECUTE FUNCTION chain_entry();--> statement-breakpoint
CREATE UNIQUE INDEX "audit_position_key" ON "audit" USING btree ("position");--> statement-breakpoint
CREATE UNIQUE INDEX "audit_result_position_key" ON "audit_result" USING btree ("position");