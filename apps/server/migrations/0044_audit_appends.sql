-- Appending to the audit chain with less work while the chain is locked.
--
-- Writers take turns on the table `audit_lock` and no longer on its row: the lock of a table passes straight to the next
-- in line, where that of a row is woken twice and writes to the log. Both take a privilege that only the owner has.

CREATE OR REPLACE FUNCTION app.audit_head(OUT seq bigint, OUT hash bytea)
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  LOCK TABLE audit_lock IN EXCLUSIVE MODE;
  SELECT e.seq, e.hash INTO audit_head.seq, audit_head.hash
  FROM audit_entry e ORDER BY e.seq DESC LIMIT 1;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;

-- Entries of one transaction and one actor, in order. The hashes were computed over the numbers and links that the
-- entries get here: from app.audit_head(), whose lock the caller holds until it commits. A caller without it waits
-- for its turn here.
CREATE OR REPLACE FUNCTION app.append_audit(
  entry_at timestamptz, entry_actor_kind text, entry_actor_id text, entry_actor_name text, entry_request_id text,
  actions text[], target_kinds text[], target_ids text[], befores jsonb[], afters jsonb[], hashes bytea[])
  RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
  head_seq bigint;
  head_hash bytea;
BEGIN
  LOCK TABLE audit_lock IN EXCLUSIVE MODE;
  SELECT e.seq, e.hash INTO head_seq, head_hash
  FROM audit_entry e ORDER BY e.seq DESC LIMIT 1;
  INSERT INTO audit_entry (seq, at, actor_kind, actor_id, actor_name, request_id, action, target_kind, target_id,
    before, after, previous_hash, hash)
  SELECT coalesce(head_seq, 0) + n.place, entry_at, entry_actor_kind, entry_actor_id, entry_actor_name, entry_request_id,
    n.action, n.target_kind, n.target_id, n.before, n.after,
    CASE WHEN n.place > 1 THEN hashes[n.place - 1] ELSE coalesce(head_hash, decode(repeat('00', 32), 'hex')) END, n.hash
  FROM unnest(actions, target_kinds, target_ids, befores, afters, hashes)
    WITH ORDINALITY AS n (action, target_kind, target_id, before, after, hash, place);
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;
