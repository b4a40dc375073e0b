-- Settings of the whole platform that super admins change in the console.

CREATE TABLE platform_setting (
  name text PRIMARY KEY,
  value jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1 CHECK (version > 0),
  changed_at timestamptz NOT NULL,
  changed_by text NOT NULL
);
COMMENT ON TABLE platform_setting IS
  'Settings that were changed in the console. Others have the default of the environment; platform-settings.ts in the domain package names them all.';
COMMENT ON COLUMN platform_setting.version IS 'A change is made against the version that its author saw.';

CREATE TABLE platform_setting_change (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  number bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  previous jsonb NOT NULL,
  value jsonb NOT NULL,
  based_on integer NOT NULL,
  state text NOT NULL CHECK (state IN ('waiting', 'applied', 'declined')),
  requested_at timestamptz NOT NULL,
  requested_by_id text NOT NULL,
  requested_by text NOT NULL,
  decided_at timestamptz,
  decided_by_id text,
  decided_by text,
  CONSTRAINT platform_setting_decision CHECK ((decided_at IS NULL) = (decided_by_id IS NULL)
    AND (decided_at IS NULL) = (decided_by IS NULL) AND (state <> 'waiting' OR decided_at IS NULL)),
  CONSTRAINT platform_setting_four_eyes CHECK (state <> 'applied' OR decided_by_id <> requested_by_id)
);
COMMENT ON TABLE platform_setting_change IS
  'Every change of a setting. One that loosens a protection of money waits for another super admin.';
COMMENT ON COLUMN platform_setting_change.based_on IS 'The version of the setting that its author saw; 0: the default.';
COMMENT ON COLUMN platform_setting_change.decided_by IS 'NULL in an applied change: it needed no second person.';
CREATE UNIQUE INDEX platform_setting_change_waiting ON platform_setting_change (name) WHERE state = 'waiting';
CREATE INDEX platform_setting_change_by_name ON platform_setting_change (name, number DESC);
CREATE UNIQUE INDEX platform_setting_change_by_number ON platform_setting_change (number DESC);

ALTER TABLE platform_setting ENABLE ROW LEVEL SECURITY;
ALTER TABLE platform_setting FORCE ROW LEVEL SECURITY;
CREATE POLICY platform_setting_scope ON platform_setting FOR ALL
  USING ((SELECT app.sees_all())) WITH CHECK ((SELECT app.sees_all()));
ALTER TABLE platform_setting_change ENABLE ROW LEVEL SECURITY;
ALTER TABLE platform_setting_change FORCE ROW LEVEL SECURITY;
CREATE POLICY platform_setting_change_scope ON platform_setting_change FOR ALL
  USING ((SELECT app.sees_all())) WITH CHECK ((SELECT app.sees_all()));
GRANT SELECT, INSERT, UPDATE ON platform_setting TO copydesk_app;
GRANT SELECT, INSERT ON platform_setting_change TO copydesk_app;
GRANT UPDATE (state, decided_at, decided_by_id, decided_by) ON platform_setting_change TO copydesk_app;

-- The platform's own recipients, and the levels of traders. Everybody reads them; only unrestricted transactions write.
ALTER TABLE platform_recipient ENABLE ROW LEVEL SECURITY;
ALTER TABLE platform_recipient FORCE ROW LEVEL SECURITY;
CREATE POLICY platform_recipient_read ON platform_recipient FOR SELECT USING (true);
CREATE POLICY platform_recipient_change ON platform_recipient FOR UPDATE
  USING ((SELECT app.sees_all())) WITH CHECK ((SELECT app.sees_all()));
GRANT UPDATE (address) ON platform_recipient TO copydesk_app;

ALTER TABLE vip_tier ENABLE ROW LEVEL SECURITY;
ALTER TABLE vip_tier FORCE ROW LEVEL SECURITY;
CREATE POLICY vip_tier_read ON vip_tier FOR SELECT USING (true);
CREATE POLICY vip_tier_change ON vip_tier FOR ALL
  USING ((SELECT app.sees_all())) WITH CHECK ((SELECT app.sees_all()));
GRANT INSERT, DELETE ON vip_tier TO copydesk_app;
