-- What super admins decide for the platform, and what people set for themselves.

CREATE TABLE saved_view (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id text NOT NULL,
  screen text NOT NULL
    CHECK (screen IN ('traders', 'invoices', 'payouts', 'communities', 'pools', 'accounts', 'messages',
    'bot_messages', 'people', 'audit', 'refusals', 'closed_positions', 'sales', 'subscribers')),
  name text NOT NULL CHECK (name <> ''),
  query text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  layout jsonb CHECK (jsonb_typeof(layout) = 'object' AND octet_length(layout::text) <= 4096),
  shared_by text,
  shared_provider_ids uuid[],
  CONSTRAINT saved_view_user_id_screen_name_key UNIQUE (user_id, screen, name),
  CONSTRAINT saved_view_shared_check
    CHECK (shared_by <> '' AND (shared_by IS NOT NULL OR shared_provider_ids IS NULL))
);
COMMENT ON TABLE saved_view IS 'Filters that a user saved under a name. They belong to the user, whatever the scope.';
COMMENT ON COLUMN saved_view.layout IS 'How the columns stand; NULL: as the reader has them.';
COMMENT ON COLUMN saved_view.shared_by IS 'The name of its author, for those with whom it is shared; NULL: it is private.';
COMMENT ON COLUMN saved_view.shared_provider_ids IS
  'What its author saw when it was shared; NULL: everything. A shared view is seen by whoever sees that much, and those of super admins by everybody.';
CREATE INDEX saved_view_shared ON saved_view (screen) WHERE shared_by IS NOT NULL;

ALTER TABLE saved_view ENABLE ROW LEVEL SECURITY;
ALTER TABLE saved_view FORCE ROW LEVEL SECURITY;
CREATE POLICY saved_view_scope ON saved_view USING ('user:' || user_id = (SELECT app.caller()));
CREATE POLICY saved_view_shared ON saved_view FOR SELECT USING (
  shared_by IS NOT NULL AND (
    shared_provider_ids IS NULL
    OR (SELECT app.sees_all())
    OR shared_provider_ids <@ (SELECT app.provider_ids())::uuid[]
  )
);

CREATE TRIGGER saved_view_announced AFTER INSERT OR UPDATE OR DELETE ON saved_view FOR EACH ROW
  EXECUTE FUNCTION app.announce_own_setting();

CREATE TABLE platform_setting (
  name text PRIMARY KEY,
  value jsonb,
  version integer NOT NULL DEFAULT 1 CHECK (version > 0),
  changed_at timestamptz NOT NULL,
  changed_by text NOT NULL
);
COMMENT ON TABLE platform_setting IS
  'Settings that were changed in the console. Others have the default of the environment; platform-settings.ts in the domain package names them all.';
COMMENT ON COLUMN platform_setting.value IS
  'NULL: the default holds, because the server''s configuration has locked the setting since it was set.';
COMMENT ON COLUMN platform_setting.version IS 'A change is made against the version that its author saw.';

ALTER TABLE platform_setting ENABLE ROW LEVEL SECURITY;
ALTER TABLE platform_setting FORCE ROW LEVEL SECURITY;
CREATE POLICY platform_setting_scope ON platform_setting FOR ALL
  USING ((SELECT app.sees_all())) WITH CHECK ((SELECT app.sees_all()));

-- NULL ends what the console had set, for a lock: the change says which default holds then.
CREATE FUNCTION app.refuse_setting() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
DECLARE
  before integer := 0;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    before := CASE WHEN OLD.name = NEW.name THEN OLD.version ELSE -1 END;
  END IF;
  IF NEW.version <> before + 1 OR NOT EXISTS (
    SELECT FROM platform_setting_change c LEFT JOIN platform_setting_default d ON d.name = c.name
    WHERE c.name = NEW.name AND c.state = 'applied' AND c.based_on = before
      AND CASE WHEN NEW.value IS NULL THEN c.value = coalesce(d.value, c.value) ELSE c.value = NEW.value END)
  THEN
    RAISE EXCEPTION 'the setting % does not follow from a change that was decided', NEW.name
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END
$$;

-- Deferred: setting and change are written in any order.
CREATE CONSTRAINT TRIGGER setting_decided AFTER INSERT OR UPDATE ON platform_setting
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (app.is_api()) EXECUTE FUNCTION app.refuse_setting();
CREATE TRIGGER no_worker_sets BEFORE INSERT OR UPDATE OR DELETE ON platform_setting
  FOR EACH ROW WHEN (app.is_worker()) EXECUTE FUNCTION app.refuse_worker();

-- Rows of settings are never deleted, and of a change only its decision is written.
REVOKE DELETE ON platform_setting FROM copydesk_app;

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

ALTER TABLE platform_setting_change ENABLE ROW LEVEL SECURITY;
ALTER TABLE platform_setting_change FORCE ROW LEVEL SECURITY;
CREATE POLICY platform_setting_change_scope ON platform_setting_change FOR ALL
  USING ((SELECT app.sees_all())) WITH CHECK ((SELECT app.sees_all()));

-- A change is compared with what holds, not with what its author says.
CREATE FUNCTION app.refuse_setting_change() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
DECLARE
  present jsonb := NEW.previous;
  present_version integer := 0;
BEGIN
  -- What holds has to be visible, or it would be as if nothing was set.
  IF NOT app.sees_all() THEN
    RAISE EXCEPTION 'settings are changed with the whole scope' USING ERRCODE = 'insufficient_privilege';
  ELSIF TG_OP = 'UPDATE' AND OLD.state <> 'waiting' THEN
    RAISE EXCEPTION 'a change of a setting is decided once' USING ERRCODE = 'integrity_constraint_violation';
  ELSIF TG_OP = 'INSERT' AND (NEW.state NOT IN ('waiting', 'applied') OR NEW.decided_at IS NOT NULL) THEN
    RAISE EXCEPTION 'a change of a setting begins undecided' USING ERRCODE = 'integrity_constraint_violation';
  ELSIF NEW.state <> 'applied' THEN
    RETURN NEW;
  END IF;
  SELECT coalesce(s.value, d.value, NEW.previous), coalesce(s.version, 0) INTO present, present_version
  FROM (SELECT) one LEFT JOIN platform_setting s ON s.name = NEW.name
  LEFT JOIN platform_setting_default d ON d.name = NEW.name;
  IF NEW.based_on <> present_version THEN
    RAISE EXCEPTION 'the setting % has changed', NEW.name USING ERRCODE = 'integrity_constraint_violation';
  ELSIF app.setting_needs_second(NEW.name, present, NEW.value)
    AND app.is_independent(NEW.decided_by_id, NEW.requested_by_id) IS NOT TRUE THEN
    RAISE EXCEPTION 'a change of the setting % is approved by an independent, confirmed super admin', NEW.name
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER setting_change_written BEFORE INSERT OR UPDATE ON platform_setting_change FOR EACH ROW
  WHEN (app.is_api()) EXECUTE FUNCTION app.refuse_setting_change();
CREATE TRIGGER no_worker_applies BEFORE INSERT OR UPDATE OF state ON platform_setting_change
  FOR EACH ROW WHEN (NEW.state = 'applied' AND app.is_worker()) EXECUTE FUNCTION app.refuse_worker();

REVOKE UPDATE, DELETE ON platform_setting_change FROM copydesk_app;
GRANT UPDATE (state, decided_at, decided_by_id, decided_by) ON platform_setting_change TO copydesk_app;

CREATE TABLE platform_setting_default (
  name text PRIMARY KEY,
  value jsonb NOT NULL,
  noted_at timestamptz NOT NULL
);
COMMENT ON TABLE platform_setting_default IS
  'What holds where the console has set nothing: the environment of the worker that started last. The database compares changes with it.';

ALTER TABLE platform_setting_default ENABLE ROW LEVEL SECURITY;
ALTER TABLE platform_setting_default FORCE ROW LEVEL SECURITY;
CREATE POLICY platform_setting_default_scope ON platform_setting_default FOR ALL
  USING ((SELECT app.sees_all())) WITH CHECK ((SELECT app.sees_all()));

REVOKE INSERT, UPDATE, DELETE ON platform_setting_default FROM copydesk_app;
GRANT INSERT, UPDATE ON platform_setting_default TO copydesk_worker;

-- What a person chooses for itself, on every device: how times, numbers and lists are shown. Defaults are the product's,
-- so that a later one counts for everyone who has chosen nothing.
CREATE TABLE person_settings (
  user_id text PRIMARY KEY CHECK (user_id <> ''),
  time_zone text CHECK (time_zone ~ '^[A-Za-z0-9_+/-]{1,64}$'),
  numbers text CHECK (numbers IN ('comma_point', 'point_comma', 'space_comma', 'apostrophe_point')),
  dates text CHECK (dates IN ('month_day', 'day_month', 'iso')),
  density text CHECK (density IN ('comfortable', 'compact')),
  start_screen text
    CHECK (start_screen IN ('overview', 'attention', 'traders', 'communities', 'invoices', 'payouts', 'pools',
    'dashboard')),
  theme text CHECK (theme IN ('system', 'light', 'dark')),
  shortcuts boolean,
  updated_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE person_settings IS
  'What a person chose for itself; NULL: nothing, so the default counts. It belongs to the person, whatever the scope, and no amount, message or list of the product depends on it.';
COMMENT ON COLUMN person_settings.time_zone IS 'A name of the IANA database, or UTC.';

ALTER TABLE person_settings ENABLE ROW LEVEL SECURITY;
ALTER TABLE person_settings FORCE ROW LEVEL SECURITY;
CREATE POLICY person_settings_own ON person_settings USING ('user:' || user_id = (SELECT app.caller()));

CREATE TRIGGER person_settings_announced AFTER INSERT OR UPDATE ON person_settings FOR EACH ROW
  EXECUTE FUNCTION app.announce_own_setting();

REVOKE DELETE ON person_settings FROM copydesk_app;

CREATE TABLE list_layout (
  user_id text NOT NULL CHECK (user_id <> ''),
  list text NOT NULL
    CHECK (list IN ('traders', 'invoices', 'payouts', 'communities', 'pools', 'accounts', 'messages', 'bot_messages',
    'people', 'audit', 'refusals', 'closed_positions', 'sales', 'subscribers')),
  layout jsonb NOT NULL CHECK (jsonb_typeof(layout) = 'object' AND octet_length(layout::text) <= 4096),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, list)
);
COMMENT ON TABLE list_layout IS
  'How a person arranged the columns of a list: order, hidden, widths, pinned. It belongs to the person, whatever the scope.';

ALTER TABLE list_layout ENABLE ROW LEVEL SECURITY;
ALTER TABLE list_layout FORCE ROW LEVEL SECURITY;
CREATE POLICY list_layout_own ON list_layout USING ('user:' || user_id = (SELECT app.caller()));

CREATE TRIGGER list_layout_announced AFTER INSERT OR UPDATE OR DELETE ON list_layout FOR EACH ROW
  EXECUTE FUNCTION app.announce_own_setting();

-- The view that a list opens with. It may be a shared one, which its author may delete or keep to themselves again.
CREATE TABLE default_view (
  user_id text NOT NULL CHECK (user_id <> ''),
  screen text NOT NULL
    CHECK (screen IN ('traders', 'invoices', 'payouts', 'communities', 'pools', 'accounts', 'messages',
    'bot_messages', 'people', 'audit', 'refusals', 'closed_positions', 'sales', 'subscribers')),
  view_id uuid NOT NULL REFERENCES saved_view ON DELETE CASCADE,
  PRIMARY KEY (user_id, screen)
);
COMMENT ON TABLE default_view IS 'The saved view with which a list opens, by person. It belongs to the person, whatever the scope.';
CREATE INDEX default_view_of_view ON default_view (view_id);

ALTER TABLE default_view ENABLE ROW LEVEL SECURITY;
ALTER TABLE default_view FORCE ROW LEVEL SECURITY;
CREATE POLICY default_view_own ON default_view USING ('user:' || user_id = (SELECT app.caller()));

CREATE TRIGGER default_view_announced AFTER INSERT OR UPDATE OR DELETE ON default_view FOR EACH ROW
  EXECUTE FUNCTION app.announce_own_setting();

-- The run at its weekly time may be a draft. That takes two people: no trader is invoiced until a person sends it.
CREATE FUNCTION app.setting_needs_second(setting text, previous jsonb, wanted jsonb) RETURNS boolean
  LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  CASE setting
    WHEN 'approval_above_usdt', 'write_off_above_usdt', 'payout_max_per_transaction', 'payout_max_per_day',
      'chain_max_fee_gwei', 'tip_up_to_usdt', 'minimum_invoice_usdt',
      'minimum_payout_usdt' THEN
      RETURN previous <> 'null' AND (wanted = 'null' OR (wanted #>> '{}')::numeric > (previous #>> '{}')::numeric);
    WHEN 'approver_min_hours', 'payout_address_hold_hours' THEN
      RETURN (wanted #>> '{}')::numeric < (previous #>> '{}')::numeric
        OR ((wanted #>> '{}')::numeric > (previous #>> '{}')::numeric AND (wanted #>> '{}')::numeric > 72);
    WHEN 'stop_after_set_aside' THEN
      -- Zero is the loosest.
      RETURN (previous #>> '{}')::numeric <> 0 AND ((wanted #>> '{}')::numeric = 0
        OR (wanted #>> '{}')::numeric > (previous #>> '{}')::numeric);
    WHEN 'scheduled_invoicing' THEN
      RETURN wanted = '"draft"' AND previous <> wanted;
    WHEN 'egress_addresses' THEN
      RETURN NOT previous @> wanted;
    WHEN 'commission_rate', 'invoice_due_days', 'vip_tiers', 'community_plans' THEN
      RETURN false;
    ELSE
      RETURN true;
  END CASE;
END
$$;
COMMENT ON FUNCTION app.setting_needs_second(text, jsonb, jsonb) IS
  'Whether a change of a setting takes two people. NULL is the loosest limit.';
GRANT EXECUTE ON FUNCTION app.setting_needs_second(text, jsonb, jsonb) TO copydesk_app;

CREATE FUNCTION app.address_hold() RETURNS interval
  LANGUAGE sql STABLE
  SET search_path = public, pg_temp
BEGIN ATOMIC
  SELECT (coalesce(s.value, d.value, '0'::jsonb) #>> '{}')::numeric * interval '1 hour'
  FROM (VALUES ('payout_address_hold_hours')) n (name)
  LEFT JOIN platform_setting s ON s.name = n.name LEFT JOIN platform_setting_default d ON d.name = n.name;
END;
COMMENT ON FUNCTION app.address_hold() IS 'How long a changed payout address is held, as far as the database knows: by a setting, or the default that a worker noted.';
GRANT EXECUTE ON FUNCTION app.address_hold() TO copydesk_app;

CREATE FUNCTION app.write_off_limit() RETURNS numeric
  LANGUAGE sql STABLE
  SET search_path = public, pg_temp
BEGIN ATOMIC
  SELECT (coalesce(s.value, d.value, '1000'::jsonb) #>> '{}')::numeric * 1000000000000000000
  FROM (VALUES ('write_off_above_usdt')) n (name)
  LEFT JOIN platform_setting s ON s.name = n.name LEFT JOIN platform_setting_default d ON d.name = n.name;
END;
COMMENT ON FUNCTION app.write_off_limit() IS
  'What one person may write off within 24 hours, base units, as far as the database knows. NULL: any.';
GRANT EXECUTE ON FUNCTION app.write_off_limit() TO copydesk_app;

-- What a trader pays beyond all that it owes is a tip while it is small, and its credit otherwise.
CREATE FUNCTION app.tip_limit() RETURNS numeric
  LANGUAGE sql STABLE
  SET search_path = public, pg_temp
BEGIN ATOMIC
  SELECT (coalesce(s.value, d.value, '"1"'::jsonb) #>> '{}')::numeric * 1000000000000000000
  FROM (VALUES ('tip_up_to_usdt')) n (name)
  LEFT JOIN platform_setting s ON s.name = n.name LEFT JOIN platform_setting_default d ON d.name = n.name;
END;
COMMENT ON FUNCTION app.tip_limit() IS 'The largest tip, base units, as far as the database knows.';
GRANT EXECUTE ON FUNCTION app.tip_limit() TO copydesk_app;
