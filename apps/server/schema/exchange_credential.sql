-- Written by `npm run generate` from a migrated database. Do not edit.

-- Encrypted credentials, one row a field: the value under its own key, that key wrapped by the master key.
CREATE TABLE exchange_credential (
  account_id uuid NOT NULL,
  provider_id uuid NOT NULL,
  field text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  ciphertext bytea NOT NULL,
  wrapped_key bytea NOT NULL,
  master_key_id text NOT NULL,
  masked text NOT NULL,
  -- Keyed hash that finds a key connected twice without decrypting anything.
  fingerprint bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When a person last revealed the secret; the audit has every time.
  revealed_at timestamptz,
  revealed_by text,
  revealed_by_id text,
  -- Its account was removed: it opens for the last read only, and is destroyed after it.
  kept_for_last_read boolean NOT NULL DEFAULT false,
  CONSTRAINT exchange_credential_account_id_fkey FOREIGN KEY (account_id) REFERENCES exchange_account(id)
    ON DELETE CASCADE,
  CONSTRAINT exchange_credential_check
    CHECK (num_nonnulls(revealed_at, revealed_by, revealed_by_id) = ANY (ARRAY[0, 3])),
  CONSTRAINT exchange_credential_field_check
    CHECK (field = ANY (ARRAY['api_key', 'secret_key', 'passphrase', 'agent_private_key'])),
  CONSTRAINT exchange_credential_pkey PRIMARY KEY (account_id, field),
  CONSTRAINT exchange_credential_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
);

CREATE INDEX exchange_credential_by_provider ON exchange_credential (provider_id);
CREATE UNIQUE INDEX exchange_credential_in_use_once ON exchange_credential (fingerprint)
  WHERE field = 'api_key' AND NOT kept_for_last_read;

ALTER TABLE exchange_credential ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_credential FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_credential_scope ON exchange_credential FOR ALL
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[])))
  WITH CHECK ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[]))
    AND (EXISTS (SELECT FROM exchange_account a WHERE a.id = exchange_credential.account_id)));
