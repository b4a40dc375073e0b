-- A saved view belongs to any list, keeps the columns as well, and may be shared with whoever sees all that its author
-- sees.

-- compatible: the constraint that follows takes every value of this one
ALTER TABLE saved_view DROP CONSTRAINT saved_view_screen_check;
ALTER TABLE saved_view
  ADD COLUMN layout jsonb,
  ADD COLUMN shared_by text,
  ADD COLUMN shared_provider_ids uuid[];
ALTER TABLE saved_view
  ADD CONSTRAINT saved_view_screen_check
    CHECK (screen IN ('traders', 'invoices', 'payouts', 'communities', 'pools', 'people', 'audit')) NOT VALID,
  ADD CONSTRAINT saved_view_layout_check
    CHECK (jsonb_typeof(layout) = 'object' AND octet_length(layout::text) <= 4096) NOT VALID,
  ADD CONSTRAINT saved_view_shared_check
    CHECK (shared_by <> '' AND (shared_by IS NOT NULL OR shared_provider_ids IS NULL)) NOT VALID;
COMMENT ON COLUMN saved_view.layout IS 'How the columns stand; NULL: as the reader has them.';
COMMENT ON COLUMN saved_view.shared_by IS 'The name of its author, for those with whom it is shared; NULL: it is private.';
COMMENT ON COLUMN saved_view.shared_provider_ids IS
  'What its author saw when it was shared; NULL: everything. A shared view is seen by whoever sees that much, and those of super admins by everybody.';

CREATE POLICY saved_view_shared ON saved_view FOR SELECT USING (
  shared_by IS NOT NULL AND (
    shared_provider_ids IS NULL
    OR (SELECT app.sees_all())
    OR shared_provider_ids <@ (SELECT app.provider_ids())::uuid[]
  )
);

-- The view that a list opens with. It may be a shared one, which its author may delete or keep to themselves again.
CREATE TABLE default_view (
  user_id text NOT NULL CHECK (user_id <> ''),
  screen text NOT NULL
    CHECK (screen IN ('traders', 'invoices', 'payouts', 'communities', 'pools', 'people', 'audit')),
  view_id uuid NOT NULL REFERENCES saved_view ON DELETE CASCADE,
  PRIMARY KEY (user_id, screen)
);
CREATE INDEX default_view_of_view ON default_view (view_id);
COMMENT ON TABLE default_view IS 'The saved view with which a list opens, by person. It belongs to the person, whatever the scope.';

ALTER TABLE default_view ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY default_view_own ON default_view USING ('user:' || user_id = (SELECT app.caller()));
