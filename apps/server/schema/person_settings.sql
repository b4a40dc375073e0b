-- Written by `npm run generate` from a migrated database. Do not edit.

-- What a person chose for itself; NULL: nothing, so the default counts. It belongs to the person, whatever the
-- scope, and no amount, message or list of the product depends on it.
CREATE TABLE person_settings (
  user_id text NOT NULL,
  -- A name of the IANA database, or UTC.
  time_zone text,
  numbers text,
  dates text,
  density text,
  start_screen text,
  theme text,
  shortcuts boolean,
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT person_settings_dates_check CHECK (dates = ANY (ARRAY['month_day', 'day_month', 'iso'])),
  CONSTRAINT person_settings_density_check CHECK (density = ANY (ARRAY['comfortable', 'compact'])),
  CONSTRAINT person_settings_numbers_check
    CHECK (numbers = ANY (ARRAY['comma_point', 'point_comma', 'space_comma', 'apostrophe_point'])),
  CONSTRAINT person_settings_pkey PRIMARY KEY (user_id),
  CONSTRAINT person_settings_start_screen_check
    CHECK (start_screen = ANY (ARRAY['overview', 'attention', 'traders', 'communities', 'invoices', 'payouts',
    'pools', 'dashboard'])),
  CONSTRAINT person_settings_theme_check CHECK (theme = ANY (ARRAY['system', 'light', 'dark'])),
  CONSTRAINT person_settings_time_zone_check CHECK (time_zone ~ '^[A-Za-z0-9_+/-]{1,64}$'),
  CONSTRAINT person_settings_user_id_check CHECK (user_id <> '')
);

ALTER TABLE person_settings ENABLE ROW LEVEL SECURITY;
ALTER TABLE person_settings FORCE ROW LEVEL SECURITY;
CREATE POLICY person_settings_own ON person_settings FOR ALL
  USING (('user:' || user_id) = ((SELECT app.caller())));

CREATE TRIGGER person_settings_announced AFTER INSERT OR UPDATE ON person_settings FOR EACH ROW
  EXECUTE FUNCTION app.announce_own_setting();
