-- Written by `npm run generate` from a migrated database. Do not edit.

-- Settings that were changed in the console. Others have the default of the environment; platform-settings.ts in the
-- domain package names them all.
CREATE TABLE platform_setting (
  name text NOT NULL,
  -- NULL: the default holds, because the server's configuration has locked the setting since it was set.
  value jsonb,
  -- A change is made against the version that its author saw.
  version integer NOT NULL DEFAULT 1,
  changed_at timestamptz NOT NULL,
  changed_by text NOT NULL,
  CONSTRAINT platform_setting_pkey PRIMARY KEY (name),
  CONSTRAINT platform_setting_version_check CHECK (version > 0)
);

ALTER TABLE platform_setting ENABLE ROW LEVEL SECURITY;
ALTER TABLE platform_setting FORCE ROW LEVEL SECURITY;
CREATE POLICY platform_setting_scope ON platform_setting FOR ALL
  USING ((SELECT app.sees_all()))
  WITH CHECK ((SELECT app.sees_all()));

CREATE TRIGGER no_worker_sets BEFORE INSERT OR DELETE OR UPDATE ON platform_setting FOR EACH ROW
  WHEN (app.is_worker()) EXECUTE FUNCTION app.refuse_worker();
CREATE CONSTRAINT TRIGGER setting_decided AFTER INSERT OR UPDATE ON platform_setting DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (app.is_api()) EXECUTE FUNCTION app.refuse_setting();
