-- Written by `npm run generate` from a migrated database. Do not edit.

-- Keys of programs. A key is 256 random bits, shown once; only its SHA-256 is stored.
CREATE TABLE identity.service_token (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  name text NOT NULL,
  prefix text NOT NULL,
  key_hash bytea NOT NULL,
  scopes text[] NOT NULL,
  provider_ids uuid[] NOT NULL,
  owner_id uuid NOT NULL,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT service_token_key_hash_check CHECK (length(key_hash) = 32),
  CONSTRAINT service_token_key_hash_key UNIQUE (key_hash),
  CONSTRAINT service_token_name_check CHECK (name <> ''),
  CONSTRAINT service_token_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES identity."user"(id),
  CONSTRAINT service_token_pkey PRIMARY KEY (id),
  CONSTRAINT service_token_provider_ids_check CHECK (cardinality(provider_ids) > 0),
  CONSTRAINT service_token_scopes_check CHECK (cardinality(scopes) > 0)
);

CREATE INDEX service_token_by_owner ON identity.service_token (owner_id);
