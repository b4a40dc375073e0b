-- What a person can see, read with that person's eyes by a super admin.
CREATE TABLE identity.view_as (
  viewer_id uuid PRIMARY KEY REFERENCES identity."user" (id) ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES identity."user" (id) ON DELETE CASCADE,
  started_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT view_as_another CHECK (viewer_id <> user_id)
);
COMMENT ON TABLE identity.view_as IS
  'Super admins who view as another user: read only, for half an hour, one at a time. The audit has when each began.';
GRANT SELECT, INSERT, UPDATE, DELETE ON identity.view_as TO copydesk_app;
