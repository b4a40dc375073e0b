-- What watches the API and the workers asks what a role may do, not what it is called: a login that inherits the role of
-- the API, and never takes it, was not watched.

CREATE FUNCTION app.is_api() RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN NOT pg_has_role(current_user, 'copydesk_worker', 'MEMBER');
COMMENT ON FUNCTION app.is_api() IS
  'Whether a statement is of the API: of no worker, no command of the worker''s machine, and not of the owner.';

CREATE FUNCTION app.is_application() RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN NOT has_schema_privilege(current_user, 'app', 'CREATE');
COMMENT ON FUNCTION app.is_application() IS 'Whether a statement is of the API or a worker, and not of the owner.';

GRANT EXECUTE ON FUNCTION app.is_api(), app.is_application() TO copydesk_app;

-- Holds of changed addresses, and frozen terms.
DO $$
DECLARE
  watching record;
BEGIN
  FOR watching IN
    SELECT pg_get_triggerdef(t.oid) AS definition FROM pg_trigger t
    WHERE NOT t.tgisinternal
      AND pg_get_triggerdef(t.oid) LIKE '%CURRENT_USER = ANY (ARRAY[''copydesk_app''::name, ''copydesk_worker''::name])%'
  LOOP
    EXECUTE replace(replace(watching.definition, 'CREATE TRIGGER', 'CREATE OR REPLACE TRIGGER'),
      'CURRENT_USER = ANY (ARRAY[''copydesk_app''::name, ''copydesk_worker''::name])', 'app.is_application()');
  END LOOP;
END
$$;
