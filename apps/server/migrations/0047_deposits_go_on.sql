-- Which account key traders' deposit addresses are derived from, and transfers that cannot be booked.

-- The account key whose private side a worker holds. Addresses are given out below this key only: tokens at an address
-- below another key could not be spent.
CREATE TABLE deposit_key (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  fingerprint text NOT NULL CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
  confirmed_at timestamptz NOT NULL DEFAULT now()
);

-- A transfer to a deposit address that the books cannot take. It is kept for review, and reading goes on.
CREATE TABLE deposit_set_aside (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  chain_id integer NOT NULL,
  token_address text NOT NULL,
  transaction_hash text NOT NULL CHECK (transaction_hash ~ '^0x[0-9a-f]{64}$'),
  log_index integer NOT NULL CHECK (log_index >= 0),
  block_number bigint NOT NULL,
  block_hash text NOT NULL,
  from_address text NOT NULL,
  to_address text NOT NULL,
  -- Any amount that a token contract can report: below 2^256.
  amount_units numeric(78, 0) NOT NULL CHECK (amount_units >= 0),
  trader_id uuid NOT NULL REFERENCES trader ON DELETE RESTRICT,
  reason text NOT NULL CHECK (reason IN ('amount_too_large', 'cannot_be_booked')),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (chain_id, transaction_hash, log_index)
);
CREATE INDEX deposit_set_aside_newest ON deposit_set_aside (created_at DESC, id);

-- Why reading stands still: always said while it does. Only a reason that needs review has to be cleared by a person;
-- any other is cleared by the next range that is read.
ALTER TABLE chain_cursor ADD COLUMN needs_review boolean NOT NULL DEFAULT false;
UPDATE chain_cursor SET needs_review = true WHERE stopped_because IS NOT NULL;
ALTER TABLE chain_cursor ADD CONSTRAINT chain_cursor_review CHECK (NOT needs_review OR stopped_because IS NOT NULL);

DO $$
DECLARE
  scoped text;
BEGIN
  FOREACH scoped IN ARRAY ARRAY['deposit_key', 'deposit_set_aside'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', scoped);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', scoped);
    EXECUTE format('CREATE POLICY %I ON %I USING ((SELECT app.sees_all()))', scoped || '_scope', scoped);
  END LOOP;
END
$$;
REVOKE UPDATE, DELETE, TRUNCATE ON deposit_key, deposit_set_aside FROM copydesk_app;
