-- Written by `npm run generate` from a migrated database. Do not edit.

-- Filters that a user saved under a name. They belong to the user, whatever the scope.
CREATE TABLE saved_view (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  user_id text NOT NULL,
  screen text NOT NULL,
  name text NOT NULL,
  query text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- How the columns stand; NULL: as the reader has them.
  layout jsonb,
  -- The name of its author, for those with whom it is shared; NULL: it is private.
  shared_by text,
  -- What its author saw when it was shared; NULL: everything. A shared view is seen by whoever sees that much, and
  -- those of super admins by everybody.
  shared_provider_ids uuid[],
  CONSTRAINT saved_view_layout_check CHECK (jsonb_typeof(layout) = 'object' AND octet_length(layout::text) <= 4096),
  CONSTRAINT saved_view_name_check CHECK (name <> ''),
  CONSTRAINT saved_view_pkey PRIMARY KEY (id),
  CONSTRAINT saved_view_screen_check
    CHECK (screen = ANY (ARRAY['traders', 'invoices', 'payouts', 'communities', 'pools', 'accounts', 'messages',
    'bot_messages', 'people', 'audit', 'refusals', 'closed_positions', 'sales', 'subscribers'])),
  CONSTRAINT saved_view_shared_check
    CHECK (shared_by <> '' AND (shared_by IS NOT NULL OR shared_provider_ids IS NULL)),
  CONSTRAINT saved_view_user_id_screen_name_key UNIQUE (user_id, screen, name)
);

CREATE INDEX saved_view_shared ON saved_view (screen) WHERE shared_by IS NOT NULL;

ALTER TABLE saved_view ENABLE ROW LEVEL SECURITY;
ALTER TABLE saved_view FORCE ROW LEVEL SECURITY;
CREATE POLICY saved_view_scope ON saved_view FOR ALL
  USING (('user:' || user_id) = ((SELECT app.caller())));
CREATE POLICY saved_view_shared ON saved_view FOR SELECT
  USING (shared_by IS NOT NULL AND (shared_provider_ids IS NULL OR (SELECT app.sees_all())
    OR shared_provider_ids <@ ((SELECT app.provider_ids()))));

CREATE TRIGGER saved_view_announced AFTER INSERT OR DELETE OR UPDATE ON saved_view FOR EACH ROW
  EXECUTE FUNCTION app.announce_own_setting();
