-- More lists keep views and columns, and what a person chooses reaches its other tabs and devices.

-- compatible: the constraints that follow take every value of these
ALTER TABLE saved_view DROP CONSTRAINT saved_view_screen_check;
-- compatible: as above
ALTER TABLE list_layout DROP CONSTRAINT list_layout_list_check;
-- compatible: as above
ALTER TABLE default_view DROP CONSTRAINT default_view_screen_check;
ALTER TABLE saved_view ADD CONSTRAINT saved_view_screen_check CHECK (screen IN ('traders', 'invoices', 'payouts',
  'communities', 'pools', 'people', 'audit', 'refusals', 'closed_positions', 'sales', 'subscribers')) NOT VALID;
ALTER TABLE list_layout ADD CONSTRAINT list_layout_list_check CHECK (list IN ('traders', 'invoices', 'payouts',
  'communities', 'pools', 'people', 'audit', 'refusals', 'closed_positions', 'sales', 'subscribers')) NOT VALID;
ALTER TABLE default_view ADD CONSTRAINT default_view_screen_check CHECK (screen IN ('traders', 'invoices', 'payouts',
  'communities', 'pools', 'people', 'audit', 'refusals', 'closed_positions', 'sales', 'subscribers')) NOT VALID;

ALTER TABLE change_event
  DROP CONSTRAINT change_event_topic_check,
  ADD CONSTRAINT change_event_topic_check CHECK (topic IN ('trader', 'community', 'provider', 'payout', 'invoice',
    'payment', 'pool', 'stop', 'export', 'bulk_act', 'own_setting')) NOT VALID;

CREATE FUNCTION app.announce_own_setting() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO change_event (topic, provider_ids, user_id)
  VALUES ('own_setting', '{}', (coalesce(NEW, OLD)).user_id);
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION app.announce_own_setting() IS
  'Announces to a person that its settings, columns or views changed: they are read again as a whole.';
CREATE TRIGGER person_settings_announced AFTER INSERT OR UPDATE ON person_settings FOR EACH ROW
  EXECUTE FUNCTION app.announce_own_setting();
CREATE TRIGGER list_layout_announced AFTER INSERT OR UPDATE OR DELETE ON list_layout FOR EACH ROW
  EXECUTE FUNCTION app.announce_own_setting();
CREATE TRIGGER saved_view_announced AFTER INSERT OR UPDATE OR DELETE ON saved_view FOR EACH ROW
  EXECUTE FUNCTION app.announce_own_setting();
CREATE TRIGGER default_view_announced AFTER INSERT OR UPDATE OR DELETE ON default_view FOR EACH ROW
  EXECUTE FUNCTION app.announce_own_setting();
