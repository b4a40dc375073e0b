-- What a person chooses for itself, on every device: how times, numbers and lists are shown. Defaults are the product's,
-- so that a later one counts for everyone who has chosen nothing.
CREATE TABLE person_settings (
  user_id text PRIMARY KEY CHECK (user_id <> ''),
  time_zone text CHECK (time_zone ~ '^[A-Za-z0-9_+/-]{1,64}$'),
  numbers text CHECK (numbers IN ('comma_point', 'point_comma', 'space_comma', 'apostrophe_point')),
  dates text CHECK (dates IN ('month_day', 'day_month', 'iso')),
  density text CHECK (density IN ('comfortable', 'compact')),
  start_screen text
    CHECK (start_screen IN ('traders', 'communities', 'invoices', 'payouts', 'pools', 'dashboard')),
  theme text CHECK (theme IN ('system', 'light', 'dark')),
  shortcuts boolean,
  updated_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE person_settings IS
  'What a person chose for itself; NULL: nothing, so the default counts. It belongs to the person, whatever the scope, and no amount, message or list of the product depends on it.';
COMMENT ON COLUMN person_settings.time_zone IS 'A name of the IANA database, or UTC.';

ALTER TABLE person_settings ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY person_settings_own ON person_settings USING ('user:' || user_id = (SELECT app.caller()));
-- compatible: the table is new
REVOKE DELETE ON person_settings FROM copydesk_app;
