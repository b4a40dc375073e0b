-- What the application's role may do beside reading and writing rows.
--
-- PostgreSQL lets everyone call a new function and create temporary tables. Together they were a way past the ledger:
-- a trigger on a temporary table of the caller's own ran app.reserve_balances, with the owner's rights, over rows that
-- the caller had made up. Creating a trigger takes EXECUTE on its function; firing one does not.

REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA app FROM PUBLIC;
-- Without IN SCHEMA: the default that lets PUBLIC call new functions is global, and a schema's own cannot take it back.
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;

-- What policies, generated columns and statements of the application call.
GRANT EXECUTE ON FUNCTION app.sees_all(), app.provider_ids(), app.caller(), app.bulk_loading(),
  app.iso(timestamptz), app.utc_day(timestamptz), app.invoice_cell(text, text, text),
  app.lock_balances(uuid[]), app.audit_head() TO copydesk_app;

-- These call app.refresh_traders, which the application need not call itself.
ALTER FUNCTION app.trader_written() SECURITY DEFINER SET search_path = public, pg_temp;
ALTER FUNCTION app.accounts_written() SECURITY DEFINER SET search_path = public, pg_temp;

-- Switching the triggers that keep sums off is for whoever owns the schema. The application could set the flag, too.
CREATE OR REPLACE FUNCTION app.bulk_loading() RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN coalesce(current_setting('copydesk.bulk', true) = 'on', false)
    AND current_setting('role') <> 'copydesk_app' AND has_schema_privilege(session_user, 'app', 'CREATE');

-- A copy of a database does not have these two; `migrate` therefore repeats them at every run.
DO $$
BEGIN
  EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
  REVOKE CREATE ON SCHEMA public FROM PUBLIC;
END
$$;
