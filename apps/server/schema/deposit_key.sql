-- Written by `npm run generate` from a migrated database. Do not edit.

-- The account key whose private half a worker holds. Addresses are derived from this key only: tokens at an address
-- of another key could not be spent.
CREATE TABLE deposit_key (
  is_only boolean NOT NULL DEFAULT true,
  fingerprint text NOT NULL,
  confirmed_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT deposit_key_fingerprint_check CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
  CONSTRAINT deposit_key_is_only_check CHECK (is_only),
  CONSTRAINT deposit_key_pkey PRIMARY KEY (is_only)
);

ALTER TABLE deposit_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE deposit_key FORCE ROW LEVEL SECURITY;
CREATE POLICY deposit_key_scope ON deposit_key FOR ALL
  USING ((SELECT app.sees_all()));
