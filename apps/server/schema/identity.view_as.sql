-- Written by `npm run generate` from a migrated database. Do not edit.

-- Super admins who view as another user: read only, for half an hour, one at a time. The audit has when each began.
CREATE TABLE identity.view_as (
  viewer_id uuid NOT NULL,
  user_id uuid NOT NULL,
  started_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT view_as_another CHECK (viewer_id <> user_id),
  CONSTRAINT view_as_pkey PRIMARY KEY (viewer_id),
  CONSTRAINT view_as_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity."user"(id) ON DELETE CASCADE,
  CONSTRAINT view_as_viewer_id_fkey FOREIGN KEY (viewer_id) REFERENCES identity."user"(id) ON DELETE CASCADE
);
