-- A setting follows from a change that was decided, whoever writes it. Before, the API's role could raise any limit that
-- the worker's environment does not bound.

CREATE TABLE platform_setting_default (
  name text PRIMARY KEY,
  value jsonb NOT NULL,
  noted_at timestamptz NOT NULL
);
COMMENT ON TABLE platform_setting_default IS
  'What holds where the console has set nothing: the environment of the worker that started last. The database compares changes with it.';
-- compatible: the version before does not know the table
REVOKE INSERT, UPDATE, DELETE ON platform_setting_default FROM copydesk_app;
GRANT INSERT, UPDATE ON platform_setting_default TO copydesk_worker;
ALTER TABLE platform_setting_default ENABLE ROW LEVEL SECURITY;
ALTER TABLE platform_setting_default FORCE ROW LEVEL SECURITY;
CREATE POLICY platform_setting_default_scope ON platform_setting_default FOR ALL
  USING ((SELECT app.sees_all())) WITH CHECK ((SELECT app.sees_all()));

-- Rows of settings are never deleted, and of a change only its decision is written.
-- compatible: the version before does neither
REVOKE DELETE ON platform_setting FROM copydesk_app;
-- compatible: as above
REVOKE UPDATE, DELETE ON platform_setting_change FROM copydesk_app;
GRANT UPDATE (state, decided_at, decided_by_id, decided_by) ON platform_setting_change TO copydesk_app;

-- The rule of needsSecondPerson in platform-settings.ts; a test compares them. A setting that is not known here needs
-- two people.
CREATE FUNCTION app.setting_needs_second(setting text, previous jsonb, wanted jsonb) RETURNS boolean
  LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  CASE setting
    WHEN 'approval_above_usdt', 'payout_max_per_transaction', 'payout_max_per_day', 'chain_max_fee_gwei' THEN
      RETURN previous <> 'null' AND (wanted = 'null' OR (wanted #>> '{}')::numeric > (previous #>> '{}')::numeric);
    WHEN 'approver_min_hours', 'payout_address_hold_hours' THEN
      RETURN (wanted #>> '{}')::numeric < (previous #>> '{}')::numeric
        OR ((wanted #>> '{}')::numeric > (previous #>> '{}')::numeric AND (wanted #>> '{}')::numeric > 72);
    WHEN 'stop_after_set_aside' THEN
      -- Zero is the loosest.
      RETURN (previous #>> '{}')::numeric <> 0 AND ((wanted #>> '{}')::numeric = 0
        OR (wanted #>> '{}')::numeric > (previous #>> '{}')::numeric);
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
