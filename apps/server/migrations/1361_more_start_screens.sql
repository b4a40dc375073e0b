-- compatible: what was allowed still is.
ALTER TABLE person_settings DROP CONSTRAINT person_settings_start_screen_check,
  ADD CONSTRAINT person_settings_start_screen_check CHECK (start_screen IN
    ('overview', 'attention', 'traders', 'communities', 'invoices', 'payouts', 'pools', 'dashboard')) NOT VALID;
