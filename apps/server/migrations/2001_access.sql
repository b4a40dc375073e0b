-- The programs connect as copydesk_app, copydesk_worker and copydesk_operator: never as the owner, never as a superuser,
-- without BYPASSRLS. Every transaction declares the scope of its caller. One without a scope sees no rows.

-- Each role is a member of the one before it. The API writes what people order. A worker writes what follows from the
-- chain and the exchanges besides: whoever takes over the API, or its login, makes no transfer and says of no money that
-- it arrived. An operator's commands take the place of a person; a worker approves nothing.
DO $$
DECLARE
  role text;
BEGIN
  FOREACH role IN ARRAY ARRAY['copydesk_app', 'copydesk_worker', 'copydesk_operator'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE', role);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN
        NULL; -- roles belong to the whole cluster: the migration of another database was faster
      END;
    END IF;
  END LOOP;
  IF NOT pg_has_role('copydesk_worker', 'copydesk_app', 'MEMBER') THEN
    GRANT copydesk_app TO copydesk_worker;
  END IF;
  IF NOT pg_has_role('copydesk_operator', 'copydesk_worker', 'MEMBER') THEN
    GRANT copydesk_worker TO copydesk_operator;
  END IF;
END
$$;
GRANT copydesk_app, copydesk_worker, copydesk_operator TO CURRENT_USER;

CREATE SCHEMA app;
GRANT USAGE ON SCHEMA app, public TO copydesk_app;
-- A new table is open to the programs: it takes back what they may not do.
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

-- Parts of words in searches.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
-- Constraints that compare something for equality and times for overlap.
CREATE EXTENSION IF NOT EXISTS btree_gist;

-- The order of names that people read, on every database: "ähre, Anker, evening, Évora, Zulu", and "Team 2" before
-- "Team 10". The order of a database may be that of bytes, in which all capitals come first.
CREATE COLLATION app.names (provider = icu, locale = 'und-u-kn');
COMMENT ON COLLATION app.names IS 'The order of names: letters whatever their case and accents, numbers by value.';

-- Policies call these inside a scalar subquery, so that each runs once a statement and not once a row.
CREATE FUNCTION app.sees_all() RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN coalesce(current_setting('copydesk.scope', true) = 'all', false);
GRANT EXECUTE ON FUNCTION app.sees_all() TO copydesk_app;

CREATE FUNCTION app.provider_ids() RETURNS uuid[]
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN string_to_array(nullif(current_setting('copydesk.provider_ids', true), ''), ',')::uuid[];
GRANT EXECUTE ON FUNCTION app.provider_ids() TO copydesk_app;

-- The principal of the transaction, such as user:<id>.
CREATE FUNCTION app.caller() RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('copydesk.caller', true), '');
GRANT EXECUTE ON FUNCTION app.caller() TO copydesk_app;

-- Bulk loads (the demo world, benchmarks) switch row triggers off and rebuild their results afterwards. Only the owner
-- of the schema may do so, although the application could set the flag as well.
CREATE FUNCTION app.bulk_loading() RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN coalesce(current_setting('copydesk.bulk', true) = 'on', false)
    AND current_setting('role') NOT IN ('copydesk_app', 'copydesk_worker', 'copydesk_operator')
    AND has_schema_privilege(session_user, 'app', 'CREATE');
GRANT EXECUTE ON FUNCTION app.bulk_loading() TO copydesk_app;

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
GRANT EXECUTE ON FUNCTION app.iso(timestamptz) TO copydesk_app;

CREATE FUNCTION app.utc_day(at timestamptz) RETURNS date
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (at AT TIME ZONE 'UTC')::date;
GRANT EXECUTE ON FUNCTION app.utc_day(timestamptz) TO copydesk_app;

-- For triggers of append-only tables.
CREATE FUNCTION app.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END
$$;

-- Wakes the work loops of the workers. The payload is the table with the new work.
CREATE FUNCTION app.announce_work() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  PERFORM app.wake('copydesk_work', TG_TABLE_NAME);
  RETURN NULL;
END
$$;

-- Arguments: kind of owner, column of its id, column of the address.
CREATE FUNCTION app.note_payout_address() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO payout_address_change AS c (owner_kind, owner_id, address, previous_address, changed_by_id)
  VALUES (TG_ARGV[0], to_jsonb(NEW) ->> TG_ARGV[1], to_jsonb(NEW) ->> TG_ARGV[2], to_jsonb(OLD) ->> TG_ARGV[2],
    coalesce(substring(current_setting('copydesk.caller', true) FROM '^[^:]+:(.+)$'), 'unknown'))
  ON CONFLICT (owner_kind, owner_id) DO UPDATE SET id = gen_random_uuid(), address = excluded.address,
    previous_address = excluded.previous_address, changed_at = now(), changed_by_id = excluded.changed_by_id,
    released_at = NULL, released_by_id = NULL, released_by = NULL;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;

DO $$
BEGIN
  IF current_setting('server_version_num')::int >= 180000 THEN
    CREATE FUNCTION app.uuid_by_time() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE
      RETURN uuidv7();
  ELSE
    -- 48 bits of milliseconds before the random bits of a version 4; bits 52 and 53 make the 4 a 7.
    CREATE FUNCTION app.uuid_by_time() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE
      RETURN encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
        PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
        52, 1), 53, 1), 'hex')::uuid;
  END IF;
END
$$;
COMMENT ON FUNCTION app.uuid_by_time() IS 'A UUID of version 7; PostgreSQL makes them from version 18 on.';
GRANT EXECUTE ON FUNCTION app.uuid_by_time() TO copydesk_app;

CREATE FUNCTION app.is_api() RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN NOT pg_has_role(current_user, 'copydesk_worker', 'MEMBER');
COMMENT ON FUNCTION app.is_api() IS
  'Whether a statement is of the API: of no worker, no command of the worker''s machine, and not of the owner.';
GRANT EXECUTE ON FUNCTION app.is_api() TO copydesk_app;

CREATE FUNCTION app.is_application() RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN NOT has_schema_privilege(current_user, 'app', 'CREATE');
COMMENT ON FUNCTION app.is_application() IS 'Whether a statement is of the API or a worker, and not of the owner.';
GRANT EXECUTE ON FUNCTION app.is_application() TO copydesk_app;

CREATE FUNCTION app.is_operator() RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN pg_has_role(current_user, 'copydesk_operator', 'MEMBER');
COMMENT ON FUNCTION app.is_operator() IS
  'Whether a command of an operator works, or the owner: it takes the place of a person where there is none.';
GRANT EXECUTE ON FUNCTION app.is_operator() TO copydesk_app;

-- A worker may take the API's role, and functions run as their owner: the login tells in both cases.
CREATE FUNCTION app.is_worker() RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN NOT app.is_api() AND NOT app.is_operator()
    OR pg_has_role(session_user, 'copydesk_worker', 'MEMBER') AND NOT pg_has_role(session_user, 'copydesk_operator', 'MEMBER');
COMMENT ON FUNCTION app.is_worker() IS 'Whether a worker works: no person stands behind what it writes.';
GRANT EXECUTE ON FUNCTION app.is_worker() TO copydesk_app;

CREATE FUNCTION app.refuse_worker() RETURNS trigger
  LANGUAGE plpgsql
AS $$
BEGIN
  RAISE EXCEPTION 'a worker approves nothing' USING ERRCODE = 'insufficient_privilege';
END
$$;
