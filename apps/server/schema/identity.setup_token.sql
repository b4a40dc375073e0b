-- Written by `npm run generate` from a migrated database. Do not edit.

-- Tokens that let the first super admin in.
CREATE TABLE identity.setup_token (
  token_hash bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT setup_token_pkey PRIMARY KEY (token_hash),
  CONSTRAINT setup_token_token_hash_check CHECK (length(token_hash) = 32)
);
