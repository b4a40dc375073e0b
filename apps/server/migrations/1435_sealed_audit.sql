-- The audit no longer makes all writers take turns. An entry is written with its number and its own keyed hash, in the
-- transaction of its fact, and a worker seals it into the chain afterwards, in one order, within a second. The turn of a
-- writer lasted until its commit had ended, with a standby until that had confirmed it: 333 changes a second behind one
-- that is three milliseconds away, for everything together.

-- No writer of the version before appends between the anchor and the new functions.
LOCK TABLE audit_lock IN EXCLUSIVE MODE;

-- compatible: the version before writes both, and this one reads them of its entries alone
ALTER TABLE audit_entry ALTER COLUMN previous_hash DROP NOT NULL;
-- compatible: as above
ALTER TABLE audit_entry ALTER COLUMN hash DROP NOT NULL;
-- compatible: no statement of the version before finds an entry by its hash; that of a seal is its own
ALTER TABLE audit_entry DROP CONSTRAINT audit_entry_hash_key;
ALTER TABLE audit_entry ADD CONSTRAINT audit_entry_hash CHECK (
  (hash_version = 3) = (hash IS NULL) AND (hash IS NULL) = (previous_hash IS NULL)) NOT VALID;
COMMENT ON TABLE audit_entry IS
  'The audit: append-only. Every entry carries a keyed hash of its own; audit_seal chains them. The keys are not in the '
  'database, so write access alone cannot forge history.';
COMMENT ON COLUMN audit_entry.seq IS
  'Its number, from audit_number. Numbers that a transaction took and did not commit are missing: the positions in '
  'audit_seal have no gap.';
COMMENT ON COLUMN audit_entry.hash_version IS
  'What the hashes cover. 1: times to the millisecond, NULL and JSON null alike, and no hash of its own. 2: every '
  'column, times to the microsecond, NULL apart from JSON null. 3: as 2, and the chain is in audit_seal.';
COMMENT ON COLUMN audit_entry.own_hash IS
  'Keyed hash over this entry, of version 2 also over the hash of the entry before. NULL: version 1.';
COMMENT ON COLUMN audit_entry.hash IS 'Of version 1 and 2: the hash of the chain, which has been in audit_seal since.';

CREATE SEQUENCE audit_number OWNED BY audit_entry.seq;
GRANT SELECT, USAGE ON SEQUENCE audit_number TO copydesk_app;
-- The first of the version before that waited for this migration number themselves.
SELECT setval('audit_number', max(seq) + 1000) FROM audit_entry HAVING max(seq) IS NOT NULL;

CREATE TABLE audit_seal (
  position bigint PRIMARY KEY,
  seq bigint NOT NULL UNIQUE,
  hash bytea NOT NULL,
  keyed_by text CHECK (keyed_by IN ('api', 'worker')),
  own_hash bytea,
  CHECK ((keyed_by IS NULL) = (own_hash IS NULL))
);
COMMENT ON TABLE audit_seal IS
  'The chain of the audit: each position seals one entry, with a keyed hash over it and the position before. Of entries '
  'from before there were seals, the last alone has one, with the hash of their chain, which this one continues.';
COMMENT ON COLUMN audit_seal.seq IS 'The number of the entry.';
COMMENT ON COLUMN audit_seal.keyed_by IS
  'The key of own_hash: "worker" is that of the workers, which no API has; "api" is that of the chain. NULL: the seal of '
  'the chain before.';
COMMENT ON COLUMN audit_seal.own_hash IS 'Keyed hash of the worker that sealed it, over the same.';
ALTER TABLE audit_seal ENABLE ROW LEVEL SECURITY;
CREATE POLICY audit_seal_reading ON audit_seal FOR SELECT USING ((SELECT app.sees_all()));
CREATE TRIGGER audit_seal_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_seal
  FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();
REVOKE INSERT, UPDATE, DELETE ON audit_seal FROM copydesk_app;
INSERT INTO audit_seal (position, seq, hash) SELECT seq, seq, hash FROM audit_entry ORDER BY seq DESC LIMIT 1;

-- Short, and written by every change: cleaned early, and half empty pages keep updates of its index local.
CREATE TABLE audit_unsealed (
  seq bigint PRIMARY KEY,
  transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
  written_at timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_cost_delay = 0);
COMMENT ON TABLE audit_unsealed IS
  'Entries of the audit that a worker has yet to seal. One that is named here and is gone was removed.';
COMMENT ON COLUMN audit_unsealed.transaction IS 'That wrote it, for those who ask whether what they see is sealed.';
ALTER TABLE audit_unsealed ENABLE ROW LEVEL SECURITY;
CREATE POLICY audit_unsealed_reading ON audit_unsealed FOR SELECT USING ((SELECT app.sees_all()));
REVOKE INSERT, UPDATE, DELETE ON audit_unsealed FROM copydesk_app;

-- The order, distribution, withdrawal or decision that an entry is about: a worker signs only what sealed entries say was
-- ordered, and approved where that was needed.
CREATE FUNCTION app.audited_order(action text, after jsonb) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE split_part(action, '.', 1)
    WHEN 'distribution' THEN after ->> 'distribution_id'
    WHEN 'order' THEN after ->> 'order_id'
    WHEN 'pool' THEN coalesce(after ->> 'decision_id', after ->> 'withdrawal_id') END;
CREATE TABLE audit_order (
  order_id text,
  seq bigint,
  PRIMARY KEY (order_id, seq)
);
COMMENT ON TABLE audit_order IS 'Which entries of the audit are about an order: also a distribution, a withdrawal, a decision about an arrival.';
ALTER TABLE audit_order ENABLE ROW LEVEL SECURITY;
CREATE POLICY audit_order_reading ON audit_order FOR SELECT USING ((SELECT app.sees_all()));
REVOKE INSERT, UPDATE, DELETE ON audit_order FROM copydesk_app;
INSERT INTO audit_order (order_id, seq)
  SELECT app.audited_order(e.action, e.after), e.seq FROM audit_entry e
  WHERE app.audited_order(e.action, e.after) IS NOT NULL;

-- Writes entries under numbers that audit_number gave.
CREATE FUNCTION app.record_audit(
  numbers bigint[], entry_at timestamptz, entry_actor_kind text, entry_actor_id text, entry_actor_name text,
  entry_request_id text, actions text[], target_kinds text[], target_ids text[], befores jsonb[], afters jsonb[],
  entry_keyed_by text, own_hashes bytea[])
  RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  IF (SELECT max(n) FROM unnest(numbers) n) > (SELECT last_value FROM audit_number) THEN
    RAISE EXCEPTION 'the audit has not given this number' USING ERRCODE = 'check_violation';
  END IF;
  INSERT INTO audit_entry (seq, at, actor_kind, actor_id, actor_name, request_id, action, target_kind, target_id,
    before, after, hash_version, keyed_by, own_hash)
  SELECT n.number, entry_at, entry_actor_kind, entry_actor_id, entry_actor_name, entry_request_id, n.action,
    n.target_kind, n.target_id, n.before, n.after, 3, entry_keyed_by, n.own_hash
  FROM unnest(numbers, actions, target_kinds, target_ids, befores, afters, own_hashes)
    AS n (number, action, target_kind, target_id, before, after, own_hash);
  INSERT INTO audit_unsealed (seq) SELECT * FROM unnest(numbers);
  INSERT INTO audit_order (order_id, seq)
    SELECT app.audited_order(n.action, n.after), n.number FROM unnest(actions, afters, numbers) AS n (action, after, number)
    WHERE app.audited_order(n.action, n.after) IS NOT NULL;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;
GRANT EXECUTE ON FUNCTION app.record_audit(
  bigint[], timestamptz, text, text, text, text, text[], text[], text[], jsonb[], jsonb[], text, bytea[])
  TO copydesk_app;

-- Takes the turn to seal, and returns where the chain ends: 0 and zeros before the first seal. NULL: another worker is
-- at it.
CREATE FUNCTION app.begin_sealing(OUT "position" bigint, OUT hash bytea)
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  BEGIN
    LOCK TABLE audit_lock IN EXCLUSIVE MODE NOWAIT;
  EXCEPTION WHEN lock_not_available THEN
    RETURN;
  END;
  PERFORM app.lock_audit(); -- is held by now: it bounds the turn
  SELECT s.position, s.hash INTO begin_sealing.position, begin_sealing.hash
  FROM audit_seal s ORDER BY s.position DESC LIMIT 1;
  IF NOT FOUND THEN
    begin_sealing.position := 0;
    begin_sealing.hash := decode(repeat('00', 32), 'hex');
  END IF;
END
$$;
GRANT EXECUTE ON FUNCTION app.begin_sealing() TO copydesk_worker;

-- Seals entries, at the positions that follow.
CREATE FUNCTION app.seal_audit(
  after_position bigint, seqs bigint[], hashes bytea[], seal_keyed_by text, own_hashes bytea[])
  RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.lock_audit();
  IF after_position <> coalesce((SELECT max(s.position) FROM audit_seal s), 0) THEN
    RAISE EXCEPTION 'the chain of the audit ends elsewhere' USING ERRCODE = 'serialization_failure';
  END IF;
  INSERT INTO audit_seal (position, seq, hash, keyed_by, own_hash)
    SELECT after_position + n.place, n.seq, n.hash, seal_keyed_by, n.own_hash
    FROM unnest(seqs, hashes, own_hashes) WITH ORDINALITY AS n (seq, hash, own_hash, place);
  DELETE FROM audit_unsealed WHERE seq = ANY (seqs);
END
$$;
GRANT EXECUTE ON FUNCTION app.seal_audit(bigint, bigint[], bytea[], text, bytea[]) TO copydesk_worker;

-- For the version before, while it still runs beside this one: its entries get numbers with room for all of one
-- transaction, follow no other, and are sealed as those of this version.
CREATE OR REPLACE FUNCTION app.audit_head(OUT seq bigint, OUT hash bytea)
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.lock_audit();
  audit_head.seq := nextval('audit_number') + 8; -- whoever takes numbers between these two statements has some
  PERFORM setval('audit_number', audit_head.seq + 1000);
  PERFORM set_config('copydesk.audit_from', audit_head.seq::text, true);
END
$$;

CREATE OR REPLACE FUNCTION app.append_audit(
  entry_at timestamptz, entry_actor_kind text, entry_actor_id text, entry_actor_name text, entry_request_id text,
  actions text[], target_kinds text[], target_ids text[], befores jsonb[], afters jsonb[], hashes bytea[],
  entry_keyed_by text, own_hashes bytea[])
  RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
  head_seq bigint := nullif(current_setting('copydesk.audit_from', true), '')::bigint;
  head_hash bytea;
BEGIN
  PERFORM app.lock_audit();
  IF head_seq IS NULL THEN -- it read the head before there were seals, and waited for them
    SELECT e.seq, e.hash INTO head_seq, head_hash FROM audit_entry e ORDER BY e.seq DESC LIMIT 1;
  END IF;
  INSERT INTO audit_entry (seq, at, actor_kind, actor_id, actor_name, request_id, action, target_kind, target_id,
    before, after, hash_version, keyed_by, own_hash, previous_hash, hash)
  SELECT coalesce(head_seq, 0) + n.place, entry_at, entry_actor_kind, entry_actor_id, entry_actor_name, entry_request_id,
    n.action, n.target_kind, n.target_id, n.before, n.after, 2, entry_keyed_by, n.own_hash,
    CASE WHEN n.place > 1 THEN hashes[n.place - 1] ELSE coalesce(head_hash, decode(repeat('00', 32), 'hex')) END, n.hash
  FROM unnest(actions, target_kinds, target_ids, befores, afters, hashes, own_hashes)
    WITH ORDINALITY AS n (action, target_kind, target_id, before, after, hash, own_hash, place);
  INSERT INTO audit_unsealed (seq)
    SELECT coalesce(head_seq, 0) + n.place FROM generate_series(1, cardinality(own_hashes)) AS n (place);
  INSERT INTO audit_order (order_id, seq)
    SELECT app.audited_order(n.action, n.after), coalesce(head_seq, 0) + n.place
    FROM unnest(actions, afters) WITH ORDINALITY AS n (action, after, place)
    WHERE app.audited_order(n.action, n.after) IS NOT NULL;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;
-- compatible: the version before calls the other of this name
DROP FUNCTION app.append_audit(
  timestamptz, text, text, text, text, text[], text[], text[], jsonb[], jsonb[], bytea[]);

-- Words are read in the order of the chain: an entry may become visible after one with a higher number.
ALTER TABLE audit_text ADD COLUMN position bigint;
COMMENT ON COLUMN audit_text.position IS 'Of its seal. NULL: it was read before there were seals.';

CREATE OR REPLACE FUNCTION app.read_audit_words(most integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  added integer;
BEGIN
  INSERT INTO audit_text (seq, position, words)
    SELECT e.seq, n.position, app.audit_words(e)
    FROM app.unread_seals() n JOIN audit_entry e ON e.seq = n.seq
    ORDER BY n.position LIMIT most
    ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS added = ROW_COUNT;
  RETURN added;
END
$$;

-- Sealed entries whose words are not read yet. Those from before there were seals are in no seal but the first: their
-- number is their position.
CREATE FUNCTION app.unread_seals(OUT seq bigint, OUT "position" bigint) RETURNS SETOF record
  LANGUAGE sql STABLE
  SET search_path = public, pg_temp AS $$
  WITH first AS MATERIALIZED (
    SELECT s.position FROM audit_seal s WHERE s.keyed_by IS NULL),
  read AS MATERIALIZED (
    SELECT greatest(
      (SELECT max(t.position) FROM audit_text t),
      (SELECT max(t.seq) FROM audit_text t WHERE t.seq <= (SELECT f.position FROM first f)), 0) AS position)
  SELECT e.seq, e.seq FROM audit_entry e, first f, read r WHERE e.seq > r.position AND e.seq <= f.position
  UNION ALL
  SELECT s.seq, s.position FROM audit_seal s, read r WHERE s.position > r.position AND s.keyed_by IS NOT NULL
$$;

CREATE OR REPLACE FUNCTION app.search_audit(typed text, before_seq bigint, most integer) RETURNS SETOF bigint
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1000
  SET search_path = public, pg_temp AS $$
DECLARE
  wanted tsquery := app.words_query(typed);
BEGIN
  IF wanted IS NULL OR NOT app.sees_all() THEN
    RETURN;
  END IF;
  -- The words are part of the statement, so that the planner knows how rare they are.
  RETURN QUERY EXECUTE format($query$
    SELECT f.seq FROM (
      (SELECT e.seq FROM (SELECT n.seq FROM app.unread_seals() n UNION ALL SELECT u.seq FROM audit_unsealed u) n
        JOIN audit_entry e ON e.seq = n.seq
        WHERE e.seq < $1 AND app.audit_words(e) @@ %1$L::tsquery ORDER BY e.seq DESC LIMIT $2)
      UNION ALL
      (SELECT t.seq FROM audit_text t
        WHERE t.seq < $1 AND t.words @@ %1$L::tsquery ORDER BY t.seq DESC LIMIT $2)) f
    ORDER BY f.seq DESC LIMIT $2$query$, wanted)
    USING before_seq, most;
END
$$;
