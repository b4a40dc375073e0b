-- Written by `npm run generate` from a migrated database. Do not edit.

-- When users last called the API, to within five minutes. Apart from user_access: its changes end caches everywhere.
CREATE TABLE identity.user_seen (
  user_id uuid NOT NULL,
  seen_at timestamptz NOT NULL,
  CONSTRAINT user_seen_pkey PRIMARY KEY (user_id),
  CONSTRAINT user_seen_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity."user"(id) ON DELETE CASCADE
);
