-- The application connects as copydesk_app: never the owner, never a superuser, no BYPASSRLS. Every transaction
-- declares the scope of its caller. A transaction without a scope sees no rows.

DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'copydesk_app') THEN
    CREATE ROLE copydesk_app NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL; -- roles belong to the whole cluster: the migration of another database was faster
END
$$;
GRANT copydesk_app TO CURRENT_USER;

CREATE SCHEMA app;
GRANT USAGE ON SCHEMA app, public TO copydesk_app;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO copydesk_app;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE ON SEQUENCES TO copydesk_app;

-- By default PostgreSQL lets everyone call a new function and create temporary tables. Together they bypassed the
-- ledger: a trigger on the caller's own temporary table ran app.reserve_balances, with the owner's rights, over rows
-- that the caller had made up. Creating a trigger takes EXECUTE on its function; firing one does not.
-- Without IN SCHEMA: the default that lets PUBLIC call new functions is global, and a schema cannot take it back.
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
-- A copy of a database loses these two, so `migrate` repeats them at every run.
DO $$
BEGIN
  EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
  REVOKE CREATE ON SCHEMA public FROM PUBLIC;
END
$$;

-- Policies call these inside a scalar subquery, so that each runs once a statement and not once a row.
CREATE FUNCTION app.sees_all() RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN coalesce(current_setting('copydesk.scope', true) = 'all', false);

CREATE FUNCTION app.provider_ids() RETURNS uuid[]
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN string_to_array(nullif(current_setting('copydesk.provider_ids', true), ''), ',')::uuid[];

-- The principal of the transaction, such as user:<id>.
CREATE FUNCTION app.caller() RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('copydesk.caller', true), '');

-- Bulk loads (the demo world, benchmarks) switch row triggers off and rebuild their results afterwards. Only the owner
-- of the schema may do so, although the application could set the flag as well.
CREATE FUNCTION app.bulk_loading() RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN coalesce(current_setting('copydesk.bulk', true) = 'on', false)
    AND current_setting('role') <> 'copydesk_app' AND has_schema_privilege(session_user, 'app', 'CREATE');

-- A trigger that keeps sums must see every row, whatever the scope of the writer. It opens the scope, and restores the
-- previous one.
CREATE FUNCTION app.open_scope() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  previous text := coalesce(current_setting('copydesk.scope', true), '');
BEGIN
  PERFORM set_config('copydesk.scope', 'all', true);
  RETURN previous;
END
$$;

-- Times as the API writes them: ISO 8601, UTC. A list formats thousands, and to_char takes more than twice as long.
CREATE FUNCTION app.iso(t timestamptz) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN replace((t AT TIME ZONE 'UTC')::text, ' ', 'T') || 'Z';

CREATE FUNCTION app.utc_day(at timestamptz) RETURNS date
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (at AT TIME ZONE 'UTC')::date;

-- For triggers of append-only tables.
CREATE FUNCTION app.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END
$$;

-- Wakes the work loops of the workers. The payload is the table with the new work.
CREATE FUNCTION app.announce_work() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('copydesk_work', TG_TABLE_NAME);
  RETURN NULL;
END
$$;

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
  previous_hash bytea NOT NULL,
  hash bytea NOT NULL UNIQUE
);
COMMENT ON TABLE audit_entry IS
  'The audit: append-only. Every entry carries a keyed hash over itself and the entry before it. The key is not in '
  'the database, so write access alone cannot forge history.';
CREATE INDEX audit_entry_by_target ON audit_entry (target_kind, target_id, seq DESC);

ALTER TABLE audit_entry ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_entry FORCE ROW LEVEL SECURITY;
CREATE POLICY audit_entry_reading ON audit_entry FOR SELECT USING ((SELECT app.sees_all()));
CREATE POLICY audit_entry_appending ON audit_entry FOR INSERT WITH CHECK ((SELECT app.sees_all()));

CREATE TRIGGER audit_entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entry
  FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();

-- The newest entry, for the writer of the next one. The lock makes writers take turns until they commit, so an entry is
-- appended as the last statement of its transaction.
CREATE FUNCTION app.audit_head(OUT seq bigint, OUT hash bytea)
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

-- Appends the entries of one transaction and one actor, in order. The application supplies the keyed hashes, computed
-- over the numbers and links that the entries get here: from app.audit_head(), whose lock the caller holds until it
-- commits. A caller without the lock waits for its turn here. The application can neither choose a number, nor skip
-- one, nor write beside the chain.
CREATE FUNCTION app.append_audit(
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

CREATE FUNCTION app.announce_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('copydesk_change', '');
  RETURN NULL;
END
$$;

CREATE TABLE change_event (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  at timestamptz NOT NULL DEFAULT now(),
  topic text NOT NULL CHECK (topic IN ('trader', 'community', 'provider', 'payout')),
  entity_id uuid NOT NULL,
  provider_ids uuid[] NOT NULL
);
COMMENT ON TABLE change_event IS
  'Changes, for consoles that listen. A reader that comes back with the position it had reached gets every event '
  'whose transaction was unfinished then, so no event that commits late is skipped.';
COMMENT ON COLUMN change_event.provider_ids IS
  'Providers whose staff receive the event; super admins receive every event.';
CREATE INDEX change_event_by_xid ON change_event (xid, id);
CREATE INDEX change_event_by_time ON change_event (at);

ALTER TABLE change_event ENABLE ROW LEVEL SECURITY;
ALTER TABLE change_event FORCE ROW LEVEL SECURITY;
CREATE POLICY change_event_scope ON change_event
  USING ((SELECT app.sees_all()) OR provider_ids && (SELECT app.provider_ids())::uuid[]);

CREATE TRIGGER change_event_announced AFTER INSERT ON change_event
  FOR EACH STATEMENT EXECUTE FUNCTION app.announce_changes();

CREATE TABLE idempotent_call (
  caller text NOT NULL CHECK (caller <> ''),
  route text NOT NULL,
  key text NOT NULL CHECK (length(key) BETWEEN 1 AND 200),
  request_hash bytea NOT NULL CHECK (length(request_hash) = 32),
  status smallint NOT NULL CHECK (status BETWEEN 200 AND 499),
  body text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (caller, route, key)
);
COMMENT ON TABLE idempotent_call IS
  'Answers of calls with an Idempotency-Key. A row is written in the transaction of its effect, so a crash leaves '
  'no state in between. An advisory lock marks a call that is still running. An answer belongs to its caller, '
  'whatever the scope of the caller: the policy compares the caller, and the purge job sees all rows.';
CREATE INDEX idempotent_call_by_expiry ON idempotent_call (expires_at);

ALTER TABLE idempotent_call ENABLE ROW LEVEL SECURITY;
ALTER TABLE idempotent_call FORCE ROW LEVEL SECURITY;
CREATE POLICY idempotent_call_scope ON idempotent_call
  USING ((SELECT app.sees_all()) OR caller = (SELECT app.caller()));

CREATE TABLE saved_view (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id text NOT NULL,
  screen text NOT NULL CHECK (screen IN ('invoices')),
  name text NOT NULL CHECK (name <> ''),
  query text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (user_id, screen, name)
);
COMMENT ON TABLE saved_view IS 'Filters that a user saved under a name. They belong to the user, whatever the scope.';

ALTER TABLE saved_view ENABLE ROW LEVEL SECURITY;
ALTER TABLE saved_view FORCE ROW LEVEL SECURITY;
CREATE POLICY saved_view_scope ON saved_view USING ('user:' || user_id = (SELECT app.caller()));

CREATE TABLE worker_heartbeat (
  worker_id uuid PRIMARY KEY,
  started_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now(),
  audit_problem text
);
COMMENT ON TABLE worker_heartbeat IS 'Live workers: each updates its row every few seconds.';
COMMENT ON COLUMN worker_heartbeat.audit_problem IS
  'NULL: the last comparison of the audit chain with the heads stored outside found no problem.';

CREATE TABLE demo_world (
  seeded_at timestamptz NOT NULL,
  traders integer NOT NULL
);
COMMENT ON TABLE demo_world IS
  'When the demo world was created, and its number of traders: the simulators continue from there. Empty in '
  'production.';

-- Entries are appended by app.append_audit only, changes by triggers.
REVOKE ALL ON audit_lock FROM copydesk_app;
REVOKE INSERT, UPDATE, DELETE ON audit_entry, demo_world FROM copydesk_app;
REVOKE INSERT, UPDATE ON change_event FROM copydesk_app;
REVOKE UPDATE ON idempotent_call FROM copydesk_app;
GRANT EXECUTE ON FUNCTION
  app.sees_all(),
  app.provider_ids(),
  app.caller(),
  app.bulk_loading(),
  app.iso(timestamptz),
  app.utc_day(timestamptz),
  app.audit_head(),
  app.append_audit(timestamptz, text, text, text, text, text[], text[], text[], jsonb[], jsonb[], bytea[])
  TO copydesk_app;
