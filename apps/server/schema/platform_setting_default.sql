-- Written by `npm run generate` from a migrated database. Do not edit.

-- What holds where the console has set nothing: the environment of the worker that started last. The database
-- compares changes with it.
CREATE TABLE platform_setting_default (
  name text NOT NULL,
  value jsonb NOT NULL,
  noted_at timestamptz NOT NULL,
  CONSTRAINT platform_setting_default_pkey PRIMARY KEY (name)
);

ALTER TABLE platform_setting_default ENABLE ROW LEVEL SECURITY;
ALTER TABLE platform_setting_default FORCE ROW LEVEL SECURITY;
CREATE POLICY platform_setting_default_scope ON platform_setting_default FOR ALL
  USING ((SELECT app.sees_all()))
  WITH CHECK ((SELECT app.sees_all()));
