-- Written by `npm run generate` from a migrated database. Do not edit.

-- Passkeys of users. The table is that of better-auth 1.7.6 with its passkey plugin, and last_used_at, which is
-- ours.
CREATE TABLE identity.passkey (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL,
  name text NOT NULL,
  credential_id text NOT NULL,
  public_key text NOT NULL,
  -- How often the authenticator has signed, as it says; 0 throughout where it does not count.
  counter bigint NOT NULL,
  device_type text NOT NULL,
  backed_up boolean NOT NULL,
  transports text,
  aaguid text,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  CONSTRAINT passkey_name_check CHECK (name <> '' AND length(name) <= 60),
  CONSTRAINT passkey_pkey PRIMARY KEY (id),
  CONSTRAINT passkey_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity."user"(id) ON DELETE CASCADE
);

CREATE UNIQUE INDEX passkey_credential_id_idx ON identity.passkey (credential_id);
CREATE INDEX passkey_user_id_idx ON identity.passkey (user_id);
