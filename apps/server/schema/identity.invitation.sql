-- Written by `npm run generate` from a migrated database. Do not edit.

CREATE TABLE identity.invitation (
  token_hash bytea NOT NULL,
  user_id uuid NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- The super admin who invited. NULL: the operator of the server.
  invited_by_id uuid,
  -- When the link was shown to the inviter, who could use it. NULL: it was only mailed.
  shown_at timestamptz,
  CONSTRAINT invitation_invited_by_id_fkey FOREIGN KEY (invited_by_id) REFERENCES identity."user"(id)
    ON DELETE CASCADE,
  CONSTRAINT invitation_pkey PRIMARY KEY (token_hash),
  CONSTRAINT invitation_token_hash_check CHECK (length(token_hash) = 32),
  CONSTRAINT invitation_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity."user"(id) ON DELETE CASCADE
);

CREATE INDEX invitation_by_inviter ON identity.invitation (invited_by_id) WHERE used_at IS NULL;
CREATE INDEX invitation_by_user ON identity.invitation (user_id);
