-- Written by `npm run generate` from a migrated database. Do not edit.

CREATE TABLE identity.invitation (
  token_hash bytea NOT NULL,
  user_id uuid NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT invitation_pkey PRIMARY KEY (token_hash),
  CONSTRAINT invitation_token_hash_check CHECK (length(token_hash) = 32),
  CONSTRAINT invitation_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity."user"(id) ON DELETE CASCADE
);

CREATE INDEX invitation_by_user ON identity.invitation (user_id);
