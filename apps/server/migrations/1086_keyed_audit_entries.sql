-- Each entry gets a keyed hash of its own beside that of the chain: a worker's is under a key that no API has.
ALTER TABLE audit_entry
  ADD COLUMN hash_version smallint NOT NULL DEFAULT 1,
  ADD COLUMN keyed_by text,
  ADD COLUMN own_hash bytea;
COMMENT ON COLUMN audit_entry.hash_version IS
  'What the hashes cover. 1: times to the millisecond, NULL and JSON null alike, and no hash of its own. 2: every '
  'column, times to the microsecond, NULL apart from JSON null.';
COMMENT ON COLUMN audit_entry.keyed_by IS
  'The key of own_hash: "worker" is that of the workers, which no API has; "api" is that of the chain. NULL: version 1.';
COMMENT ON COLUMN audit_entry.own_hash IS
  'Keyed hash over the hash of the entry before and this entry. NULL: version 1.';
ALTER TABLE audit_entry ADD CONSTRAINT audit_entry_own_hash CHECK (
  (hash_version = 1) = (own_hash IS NULL) AND (own_hash IS NULL) = (keyed_by IS NULL)
  AND keyed_by IN ('api', 'worker')) NOT VALID;

-- Takes the turn of a writer, and bounds it: a client that is stopped, or cut off, between the head and its commit
-- would keep every writer waiting. Its connection ends after five seconds of silence, a third of what a waiting
-- statement has. From PostgreSQL 17 on the transaction ends after ten seconds as well, even within a half-sent message.
CREATE FUNCTION app.lock_audit() RETURNS void LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  LOCK TABLE audit_lock IN EXCLUSIVE MODE;
  PERFORM set_config('idle_in_transaction_session_timeout', '5000', true);
  IF current_setting('server_version_num')::int >= 170000 THEN
    PERFORM set_config('transaction_timeout', '10000', true);
  END IF;
END
$$;

CREATE OR REPLACE FUNCTION app.audit_head(OUT seq bigint, OUT hash bytea)
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  PERFORM app.lock_audit();
  SELECT e.seq, e.hash INTO audit_head.seq, audit_head.hash
  FROM audit_entry e ORDER BY e.seq DESC LIMIT 1;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;

-- As the function of the same name without the last two arguments, which the version before calls: it appends entries
-- of version 1, and this one those of version 2.
CREATE FUNCTION app.append_audit(
  entry_at timestamptz, entry_actor_kind text, entry_actor_id text, entry_actor_name text, entry_request_id text,
  actions text[], target_kinds text[], target_ids text[], befores jsonb[], afters jsonb[], hashes bytea[],
  entry_keyed_by text, own_hashes bytea[])
  RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
  head_seq bigint;
  head_hash bytea;
BEGIN
  PERFORM app.lock_audit();
  SELECT e.seq, e.hash INTO head_seq, head_hash
  FROM audit_entry e ORDER BY e.seq DESC LIMIT 1;
  INSERT INTO audit_entry (seq, at, actor_kind, actor_id, actor_name, request_id, action, target_kind, target_id,
    before, after, hash_version, keyed_by, own_hash, previous_hash, hash)
  SELECT coalesce(head_seq, 0) + n.place, entry_at, entry_actor_kind, entry_actor_id, entry_actor_name, entry_request_id,
    n.action, n.target_kind, n.target_id, n.before, n.after, 2, entry_keyed_by, n.own_hash,
    CASE WHEN n.place > 1 THEN hashes[n.place - 1] ELSE coalesce(head_hash, decode(repeat('00', 32), 'hex')) END, n.hash
  FROM unnest(actions, target_kinds, target_ids, befores, afters, hashes, own_hashes)
    WITH ORDINALITY AS n (action, target_kind, target_id, before, after, hash, own_hash, place);
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;
GRANT EXECUTE ON FUNCTION app.append_audit(
  timestamptz, text, text, text, text, text[], text[], text[], jsonb[], jsonb[], bytea[], text, bytea[])
  TO copydesk_app;

-- What a check found besides breaks of the chain.
ALTER TABLE audit_verification
  ADD COLUMN unchecked_entries bigint,
  ADD COLUMN foreign_entries bigint,
  ADD COLUMN foreign_seq bigint;
COMMENT ON COLUMN audit_verification.unchecked_entries IS
  'Entries of workers whose own hash was not checked, because the check had no key of the workers.';
COMMENT ON COLUMN audit_verification.foreign_entries IS
  'Entries under the name of the worker that do not carry the hash of its key, although it had one by then.';
COMMENT ON COLUMN audit_verification.foreign_seq IS 'The first of them.';

ALTER TABLE worker_heartbeat
  ADD COLUMN has_audit_key boolean NOT NULL DEFAULT false,
  ADD COLUMN runs_as text,
  ADD COLUMN program_problem text;
COMMENT ON COLUMN worker_heartbeat.has_audit_key IS 'Whether it has AUDIT_WORKER_KEY.';
COMMENT ON COLUMN worker_heartbeat.runs_as IS
  'User and machine, as in 998@host: an API with the same could read and change the worker. NULL: below npm start.';
COMMENT ON COLUMN worker_heartbeat.program_problem IS
  'Which other user could change its programs or compile cache. NULL: none.';
