-- Written by `npm run generate` from a migrated database. Do not edit.

-- The saved view with which a list opens, by person. It belongs to the person, whatever the scope.
CREATE TABLE default_view (
  user_id text NOT NULL,
  screen text NOT NULL,
  view_id uuid NOT NULL,
  CONSTRAINT default_view_pkey PRIMARY KEY (user_id, screen),
  CONSTRAINT default_view_screen_check
    CHECK (screen = ANY (ARRAY['traders', 'invoices', 'payouts', 'communities', 'pools', 'accounts', 'messages',
    'bot_messages', 'people', 'audit', 'refusals', 'closed_positions', 'sales', 'subscribers'])),
  CONSTRAINT default_view_user_id_check CHECK (user_id <> ''),
  CONSTRAINT default_view_view_id_fkey FOREIGN KEY (view_id) REFERENCES saved_view(id) ON DELETE CASCADE
);

CREATE INDEX default_view_of_view ON default_view (view_id);

ALTER TABLE default_view ENABLE ROW LEVEL SECURITY;
ALTER TABLE default_view FORCE ROW LEVEL SECURITY;
CREATE POLICY default_view_own ON default_view FOR ALL
  USING (('user:' || user_id) = ((SELECT app.caller())));

CREATE TRIGGER default_view_announced AFTER INSERT OR DELETE OR UPDATE ON default_view FOR EACH ROW
  EXECUTE FUNCTION app.announce_own_setting();
