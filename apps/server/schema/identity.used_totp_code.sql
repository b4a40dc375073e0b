-- Written by `npm run generate` from a migrated database. Do not edit.

-- Accepted codes of authenticator apps: the library alone would accept each of them again.
CREATE TABLE identity.used_totp_code (
  user_id uuid NOT NULL,
  code_hash bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT used_totp_code_code_hash_check CHECK (length(code_hash) = 32),
  CONSTRAINT used_totp_code_pkey PRIMARY KEY (user_id, code_hash),
  CONSTRAINT used_totp_code_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity."user"(id) ON DELETE CASCADE
);

CREATE INDEX used_totp_code_by_expiry ON identity.used_totp_code (expires_at);
