-- Written by `npm run generate` from a migrated database. Do not edit.

-- The encrypted key of a pool's exchange account, one row a field. Only workers open it.
CREATE TABLE pool_key (
  pooled_account_id uuid NOT NULL,
  field text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  ciphertext bytea NOT NULL,
  wrapped_key bytea,
  master_key_id text,
  fingerprint bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- The public key that the value is sealed to. NULL: a version before sealed it under the master key.
  recipient text,
  CONSTRAINT pool_key_field_check CHECK (field = ANY (ARRAY['api_key', 'secret_key'])),
  CONSTRAINT pool_key_pkey PRIMARY KEY (pooled_account_id, field),
  CONSTRAINT pool_key_pooled_account_id_fkey FOREIGN KEY (pooled_account_id) REFERENCES pooled_account(id)
    ON DELETE RESTRICT,
  CONSTRAINT pool_key_recipient_check CHECK (recipient ~ '^age1[0-9a-z]{58}$'),
  CONSTRAINT pool_key_sealed_once
    CHECK ((recipient IS NULL) = (wrapped_key IS NOT NULL) AND (wrapped_key IS NULL) = (master_key_id IS NULL))
);

ALTER TABLE pool_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_key FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_key_scope ON pool_key FOR ALL
  USING ((SELECT app.sees_all()));
