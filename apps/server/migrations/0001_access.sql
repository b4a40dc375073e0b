-- Who may see which row. The application connects as copydesk_app (never owner, never superuser, no BYPASSRLS)
-- and says in every transaction what its caller may see. Without that context there are no rows.

DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'copydesk_app') THEN
    CREATE ROLE copydesk_app NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL; -- roles belong to the whole cluster: another database's migration was faster
END
$$;
GRANT copydesk_app TO CURRENT_USER;

CREATE SCHEMA app;
GRANT USAGE ON SCHEMA app, public TO copydesk_app;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO copydesk_app;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE ON SEQUENCES TO copydesk_app;

-- Policies call these inside a scalar subquery, so that each runs once a statement and not once a row.
CREATE FUNCTION app.sees_all() RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN coalesce(current_setting('copydesk.scope', true) = 'all', false);

CREATE FUNCTION app.provider_ids() RETURNS uuid[]
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN string_to_array(nullif(current_setting('copydesk.provider_ids', true), ''), ',')::uuid[];

-- Bulk loads (the demo world, benchmarks) switch row triggers off and rebuild what they keep afterwards.
CREATE FUNCTION app.bulk_loading() RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN coalesce(current_setting('copydesk.bulk', true) = 'on', false);

-- A trigger that keeps sums must see every row, whoever wrote. It opens the scope, and puts back what was there.
CREATE FUNCTION app.open_scope() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  previous text := coalesce(current_setting('copydesk.scope', true), '');
BEGIN
  PERFORM set_config('copydesk.scope', 'all', true);
  RETURN previous;
END
$$;
