-- What was done, by whom: numbered entries, sealed into a chain of keyed hashes by a worker, and the words that searches read.

CREATE TABLE audit_lock (
  single boolean PRIMARY KEY DEFAULT true CHECK (single)
);
COMMENT ON TABLE audit_lock IS
  'Writers of the audit chain take turns by locking this table. Everyone who can connect could hold an advisory '
  'lock; a table lock takes a privilege that only the owner has. A row lock in its place would wake each waiter '
  'twice and write to the log.';
INSERT INTO audit_lock DEFAULT VALUES;

ALTER TABLE audit_lock ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_lock FORCE ROW LEVEL SECURITY;
CREATE POLICY audit_lock_scope ON audit_lock USING ((SELECT app.sees_all()));

-- Entries are appended by app.append_audit only, changes by triggers.
REVOKE ALL ON audit_lock FROM copydesk_app;

CREATE TABLE audit_entry (
  seq bigint PRIMARY KEY,
  at timestamptz NOT NULL,
  actor_kind text NOT NULL CHECK (actor_kind IN ('user', 'service', 'system')),
  actor_id text NOT NULL,
  actor_name text NOT NULL,
  action text NOT NULL,
  target_kind text NOT NULL,
  target_id text NOT NULL,
  before jsonb,
  after jsonb,
  request_id text,
  previous_hash bytea,
  hash bytea,
  hash_version smallint NOT NULL DEFAULT 1,
  keyed_by text,
  own_hash bytea,
  CONSTRAINT audit_entry_hash
    CHECK ((hash_version = 3) = (hash IS NULL) AND (hash IS NULL) = (previous_hash IS NULL)),
  CONSTRAINT audit_entry_own_hash
    CHECK ((hash_version = 1) = (own_hash IS NULL) AND (own_hash IS NULL) = (keyed_by IS NULL)
    AND (keyed_by IN ('api', 'worker')))
);
COMMENT ON TABLE audit_entry IS
  'The audit: append-only. Every entry carries a keyed hash of its own; audit_seal chains them. The keys are not in the '
  'database, so write access alone cannot forge history.';
COMMENT ON COLUMN audit_entry.seq IS
  'Its number, from audit_number. Numbers that a transaction took and did not commit are missing: the positions in '
  'audit_seal have no gap.';
COMMENT ON COLUMN audit_entry.hash IS 'Of version 1 and 2: the hash of the chain, which has been in audit_seal since.';
COMMENT ON COLUMN audit_entry.hash_version IS
  'What the hashes cover. 1: times to the millisecond, NULL and JSON null alike, and no hash of its own. 2: every '
  'column, times to the microsecond, NULL apart from JSON null. 3: as 2, and the chain is in audit_seal.';
COMMENT ON COLUMN audit_entry.keyed_by IS
  'The key of own_hash: "worker" is that of the workers, which no API has; "api" is that of the chain. NULL: version 1.';
COMMENT ON COLUMN audit_entry.own_hash IS
  'Keyed hash over this entry, of version 2 also over the hash of the entry before. NULL: version 1.';
CREATE INDEX audit_entry_by_target ON audit_entry (target_kind, target_id, seq DESC);
-- What people and programs did is rare among what workers do.
CREATE INDEX audit_entry_by_actor_kind ON audit_entry (actor_kind, seq DESC);
CREATE INDEX audit_entry_by_actor ON audit_entry (actor_id, seq DESC);
CREATE INDEX audit_entry_by_kind ON audit_entry (split_part(action, '.', 1), seq DESC);

CREATE FUNCTION app.audit_provider(target_kind text, target_id text, before jsonb, after jsonb) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN target_kind = 'provider' THEN target_id
  ELSE coalesce(after ->> 'provider_id', before ->> 'provider_id', after ->> 'selected_provider_id',
    before ->> 'selected_provider_id') END;
COMMENT ON FUNCTION app.audit_provider IS 'The provider that an audit entry names; NULL: none.';
GRANT EXECUTE ON FUNCTION app.audit_provider(text, text, jsonb, jsonb) TO copydesk_app;

CREATE INDEX audit_entry_by_provider ON audit_entry (app.audit_provider(target_kind, target_id, before, after), seq DESC)
  WHERE app.audit_provider(target_kind, target_id, before, after) IS NOT NULL;
CREATE INDEX audit_entry_by_time ON audit_entry (at, seq);
-- For the newest entry under the worker's key, which a worker compares with its own key when it starts.
CREATE INDEX audit_entry_of_workers ON audit_entry (seq) WHERE keyed_by = 'worker';

ALTER TABLE audit_entry ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_entry FORCE ROW LEVEL SECURITY;
CREATE POLICY audit_entry_reading ON audit_entry FOR SELECT USING ((SELECT app.sees_all()));
CREATE POLICY audit_entry_appending ON audit_entry FOR INSERT WITH CHECK ((SELECT app.sees_all()));

CREATE TRIGGER audit_entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entry
  FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();

REVOKE INSERT, UPDATE, DELETE ON audit_entry FROM copydesk_app;

CREATE TABLE audit_verification (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  requested_at timestamptz NOT NULL DEFAULT now(),
  requested_by text NOT NULL,
  started_at timestamptz,
  finished_at timestamptz,
  is_intact boolean,
  entries bigint,
  head_hash text,
  problem_seq bigint,
  problem text CHECK (problem IN ('missing_entry', 'altered_entry', 'broken_link')),
  unchecked_entries bigint,
  foreign_entries bigint,
  foreign_seq bigint,
  CONSTRAINT audit_verification_problem
    CHECK ((problem IS NULL) = (problem_seq IS NULL) AND (is_intact IS NOT FALSE) = (problem IS NULL)),
  CONSTRAINT audit_verification_result CHECK ((finished_at IS NULL) = (is_intact IS NULL))
);
COMMENT ON TABLE audit_verification IS
  'Checks of the whole audit chain by a worker, requested by a person or by the nightly job.';
COMMENT ON COLUMN audit_verification.unchecked_entries IS
  'Entries of workers whose own hash was not checked, because the check had no key of the workers.';
COMMENT ON COLUMN audit_verification.foreign_entries IS
  'Entries under the name of the worker that do not carry the hash of its key, although it had one by then.';
COMMENT ON COLUMN audit_verification.foreign_seq IS 'The first of them.';
CREATE UNIQUE INDEX audit_verification_open ON audit_verification ((true)) WHERE finished_at IS NULL;
CREATE INDEX audit_verification_by_request ON audit_verification (requested_at DESC);

ALTER TABLE audit_verification ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_verification FORCE ROW LEVEL SECURITY;
CREATE POLICY audit_verification_scope ON audit_verification FOR ALL
  USING ((SELECT app.sees_all())) WITH CHECK ((SELECT app.sees_all()));

REVOKE INSERT, UPDATE, DELETE ON audit_verification FROM copydesk_app;
GRANT INSERT (requested_by) ON audit_verification TO copydesk_app;
GRANT INSERT, UPDATE, DELETE ON audit_verification TO copydesk_worker;

CREATE TABLE audit_text (
  seq bigint PRIMARY KEY,
  words tsvector NOT NULL,
  "position" bigint
);
COMMENT ON TABLE audit_text IS
  'The words of an entry of the audit: who, what, the object with its name at the time, and the values before and '
  'after. Made from the entries, by a job.';
COMMENT ON COLUMN audit_text.position IS 'Of its seal. NULL: it was read before there were seals.';
CREATE INDEX audit_text_words ON audit_text USING gin (words);
CREATE INDEX audit_text_by_position ON audit_text (position) WHERE position IS NOT NULL;

ALTER TABLE audit_text ENABLE ROW LEVEL SECURITY;
CREATE POLICY audit_text_scope ON audit_text USING ((SELECT app.sees_all()));

REVOKE ALL ON audit_text FROM copydesk_app;

CREATE SEQUENCE audit_number OWNED BY audit_entry.seq;
GRANT SELECT ON SEQUENCE audit_number TO copydesk_app;

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

CREATE TABLE audit_order (
  order_id text,
  seq bigint,
  PRIMARY KEY (order_id, seq)
);
COMMENT ON TABLE audit_order IS 'Which entries of the audit are about an order: also a distribution, a withdrawal, a decision about an arrival.';

ALTER TABLE audit_order ENABLE ROW LEVEL SECURITY;
CREATE POLICY audit_order_reading ON audit_order FOR SELECT USING ((SELECT app.sees_all()));

REVOKE INSERT, UPDATE, DELETE ON audit_order FROM copydesk_app;

-- For the version before, while it still runs beside this one: its entries get numbers with room for all of one
-- transaction, follow no other, and are sealed as those of this version.
CREATE FUNCTION app.audit_head(OUT seq bigint, OUT hash bytea)
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.lock_audit();
  audit_head.seq := nextval('audit_number') + 8; -- whoever takes numbers between these two statements has some
  PERFORM setval('audit_number', audit_head.seq + 1000);
  PERFORM set_config('copydesk.audit_from', audit_head.seq::text, true);
END
$$;
GRANT EXECUTE ON FUNCTION app.audit_head() TO copydesk_app;

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
GRANT EXECUTE
  ON FUNCTION app.append_audit(timestamptz, text, text, text, text, text[], text[], text[], jsonb[], jsonb[],
  bytea[], text, bytea[]) TO copydesk_app;

-- A function keeps the plans of its queries. As part of the list's statement they were planned again for every page, which
-- took three quarters of its time.
CREATE FUNCTION app.audit_target_name(target_kind text, target_id text) RETURNS text
  LANGUAGE plpgsql STABLE
AS $$
DECLARE
  target uuid;
BEGIN
  IF target_id !~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' THEN
    RETURN NULL;
  END IF;
  target := target_id::uuid;
  IF target_kind = 'trader' THEN
    RETURN (SELECT coalesce(t.reference_number, nullif(t.telegram_username, ''), t.name) FROM trader t
      WHERE t.id = target);
  ELSIF target_kind = 'community' THEN
    RETURN (SELECT c.name FROM community c WHERE c.id = target);
  ELSIF target_kind = 'provider' THEN
    RETURN (SELECT p.display_name FROM provider p WHERE p.id = target);
  ELSIF target_kind = 'user' THEN
    RETURN (SELECT p.email FROM identity.person p WHERE p.id = target);
  ELSIF target_kind = 'service_token' THEN
    RETURN (SELECT s.name FROM identity.service_token s WHERE s.id = target);
  ELSIF target_kind = 'invoice' THEN
    RETURN (SELECT coalesce(t.reference_number, nullif(t.telegram_username, ''), t.name)
      FROM invoice i JOIN trader t ON t.id = i.trader_id WHERE i.id = target);
  ELSIF target_kind = 'pool' THEN
    RETURN (SELECT c.name FROM pooled_account a JOIN community c ON c.id = a.community_id WHERE a.id = target);
  ELSIF target_kind = 'wallet' THEN
    RETURN (SELECT w.address FROM chain_wallet w WHERE w.id = target);
  ELSIF target_kind = 'payout' THEN
    RETURN (SELECT c.name FROM payout o JOIN community c ON c.id = o.community_id WHERE o.id = target);
  ELSIF target_kind = 'order' THEN
    RETURN app.audit_order_name(target);
  ELSIF target_kind = 'invoicing_run' THEN
    RETURN (SELECT coalesce(t.reference_number, nullif(t.telegram_username, ''), t.name, c.name, 'all traders')
      FROM invoicing_run r LEFT JOIN trader t ON t.id = r.trader_id LEFT JOIN community c ON c.id = r.community_id
      WHERE r.id = target);
  END IF;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION app.audit_target_name IS
  'What people call the target of an audit entry today, within the rights of the caller; NULL: it has no name, or is gone.';
GRANT EXECUTE ON FUNCTION app.audit_target_name(text, text) TO copydesk_app;

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

-- Whatever joins words, as in invoice.marked_paid, 312.50 or an address of mail, parts them here, for entries and
-- searches alike.
CREATE FUNCTION app.parted_words(value text) RETURNS tsvector
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT to_tsvector('pg_catalog.simple', translate(replace(lower(left(value, 50000) COLLATE app.names) COLLATE "C",
    '\n', ' '), $chars$._-/@:\"{}[],<>()=&|!*'+%$#~;?^`$chars$, repeat(' ', 32)))
$$;

-- Null: the text has no word.
CREATE FUNCTION app.words_query(typed text) RETURNS tsquery
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT to_tsquery('pg_catalog.simple', string_agg('''' || w.lexeme || ''':*', ' & '))
  FROM unnest(app.parted_words(typed)) w
$$;

CREATE FUNCTION app.audit_words(e audit_entry) RETURNS tsvector
  LANGUAGE sql STABLE
AS $$
  SELECT app.parted_words(concat_ws(' ', e.actor_name, e.action, e.target_kind, e.target_id,
    app.audit_target_name(e.target_kind, e.target_id), e.before::text, e.after::text))
$$;

-- Reads the words of the next entries. Returns how many. For workers alone.
CREATE FUNCTION app.read_audit_words(most integer) RETURNS integer
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
GRANT EXECUTE ON FUNCTION app.read_audit_words(integer) TO copydesk_worker;

-- The numbers of the latest entries before one that have all words of a text, or words that begin with them; for whoever
-- sees all.
CREATE FUNCTION app.search_audit(typed text, before_seq bigint, most integer) RETURNS SETOF bigint
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
GRANT EXECUTE ON FUNCTION app.search_audit(text, bigint, integer) TO copydesk_app;

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
GRANT EXECUTE
  ON FUNCTION app.record_audit(bigint[], timestamptz, text, text, text, text, text[], text[], text[], jsonb[],
  jsonb[], text, bytea[]) TO copydesk_app;

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
