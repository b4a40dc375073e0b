-- Written by `npm run generate` from a migrated database. Do not edit.

-- Filters that a user saved under a name. They belong to the user, whatever the scope.
CREATE TABLE saved_view (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  user_id text NOT NULL,
  screen text NOT NULL,
  name text NOT NULL,
  query text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT saved_view_name_check CHECK (name <> ''),
  CONSTRAINT saved_view_pkey PRIMARY KEY (id),
  CONSTRAINT saved_view_screen_check CHECK (screen = 'invoices'),
  CONSTRAINT saved_view_user_id_screen_name_key UNIQUE (user_id, screen, name)
);

ALTER TABLE saved_view ENABLE ROW LEVEL SECURITY;
ALTER TABLE saved_view FORCE ROW LEVEL SECURITY;
CREATE POLICY saved_view_scope ON saved_view FOR ALL
  USING (('user:' || user_id) = ((SELECT app.caller())));
