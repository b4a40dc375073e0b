-- Entries of the audit chain are appended by a function that numbers and links them. The application says what
-- happened and brings the keyed hash; it cannot choose a number, leave one out, or write beside the chain.

-- Writers take turns on this row. An advisory lock in its place could be held by anyone who can connect; a lock of a row
-- takes a privilege on its table, which nobody but the owner has. The row never changes, so it leaves no dead versions.
CREATE TABLE audit_lock (
  single boolean PRIMARY KEY DEFAULT true CHECK (single)
);
INSERT INTO audit_lock DEFAULT VALUES;
REVOKE ALL ON audit_lock FROM copydesk_app;
ALTER TABLE audit_lock ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_lock FORCE ROW LEVEL SECURITY;
CREATE POLICY audit_lock_scope ON audit_lock USING ((SELECT app.sees_all()));

REVOKE INSERT ON audit_entry FROM copydesk_app;
DROP POLICY audit_entry_appending ON audit_entry;
CREATE POLICY audit_entry_appending ON audit_entry FOR INSERT WITH CHECK ((SELECT app.sees_all()));

CREATE OR REPLACE FUNCTION app.audit_head(OUT seq bigint, OUT hash bytea)
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  PERFORM FROM audit_lock FOR UPDATE;
  SELECT e.seq, e.hash INTO audit_head.seq, audit_head.hash
  FROM audit_entry e ORDER BY e.seq DESC LIMIT 1;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;

-- Entries of one transaction and one actor, in order. The hashes were computed over the numbers and links that the
-- entries get here: from app.audit_head(), whose lock the caller holds until it commits.
CREATE FUNCTION app.append_audit(
  entry_at timestamptz, entry_actor_kind text, entry_actor_id text, entry_actor_name text, entry_request_id text,
  actions text[], target_kinds text[], target_ids text[], befores jsonb[], afters jsonb[], hashes bytea[])
  RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  head record;
  caller_scope text;
BEGIN
  SELECT * INTO head FROM app.audit_head();
  caller_scope := app.open_scope();
  INSERT INTO audit_entry (seq, at, actor_kind, actor_id, actor_name, request_id, action, target_kind, target_id,
    before, after, previous_hash, hash)
  SELECT coalesce(head.seq, 0) + n.place, entry_at, entry_actor_kind, entry_actor_id, entry_actor_name, entry_request_id,
    n.action, n.target_kind, n.target_id, n.before, n.after,
    coalesce(lag(n.hash) OVER (ORDER BY n.place), head.hash, decode(repeat('00', 32), 'hex')), n.hash
  FROM unnest(actions, target_kinds, target_ids, befores, afters, hashes)
    WITH ORDINALITY AS n (action, target_kind, target_id, before, after, hash, place);
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;
GRANT EXECUTE ON FUNCTION app.append_audit(timestamptz, text, text, text, text, text[], text[], text[], jsonb[], jsonb[], bytea[])
  TO copydesk_app;

-- NULL: the worker found nothing wrong when it last compared the chain with the heads that were noted outside.
ALTER TABLE worker_heartbeat ADD COLUMN audit_problem text;
