-- Written by `npm run generate` from a migrated database. Do not edit.

-- Credentials of a user: here always a password (provider_id 'credential'), stored as a scrypt hash.
CREATE TABLE identity.account (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  account_id text NOT NULL,
  provider_id text NOT NULL,
  user_id uuid NOT NULL,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL,
  CONSTRAINT account_pkey PRIMARY KEY (id),
  CONSTRAINT account_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity."user"(id) ON DELETE CASCADE
);

CREATE UNIQUE INDEX account_of_user ON identity.account (user_id, provider_id);
CREATE INDEX account_user_id_idx ON identity.account (user_id);
