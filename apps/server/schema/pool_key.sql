-- Written by `npm run generate` from a migrated database. Do not edit.

-- The encrypted key of a pool's exchange account, one row a field: the value under its own key, that key wrapped by
-- the master key.
CREATE TABLE pool_key (
  pooled_account_id uuid NOT NULL,
  field text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  ciphertext bytea NOT NULL,
  wrapped_key bytea NOT NULL,
  master_key_id text NOT NULL,
  fingerprint bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pool_key_field_check CHECK (field = ANY (ARRAY['api_key', 'secret_key'])),
  CONSTRAINT pool_key_pkey PRIMARY KEY (pooled_account_id, field),
  CONSTRAINT pool_key_pooled_account_id_fkey FOREIGN KEY (pooled_account_id) REFERENCES pooled_account(id)
    ON DELETE RESTRICT
);

CREATE UNIQUE INDEX pool_key_once ON pool_key (fingerprint) WHERE field = 'api_key';

ALTER TABLE pool_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_key FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_key_scope ON pool_key FOR ALL
  USING ((SELECT app.sees_all()));
