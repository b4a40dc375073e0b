-- Money that comes in on chain: how far the chain was read, and each transfer that was found.

CREATE TABLE chain_cursor (
  chain_id integer NOT NULL,
  token_address text NOT NULL CHECK (token_address ~ '^0x[0-9a-f]{40}$'),
  -- The last final block whose transfers are booked, and what it was: another one by that number stops the reading.
  block_number bigint NOT NULL CHECK (block_number >= 0),
  block_hash text NOT NULL CHECK (block_hash ~ '^0x[0-9a-f]{64}$'),
  -- Why nothing is read any more; a person looks at it and takes it away.
  stopped_because text,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (chain_id, token_address)
);

CREATE TABLE deposit (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  chain_id integer NOT NULL,
  token_address text NOT NULL,
  transaction_hash text NOT NULL CHECK (transaction_hash ~ '^0x[0-9a-f]{64}$'),
  log_index integer NOT NULL CHECK (log_index >= 0),
  block_number bigint NOT NULL,
  block_hash text NOT NULL,
  from_address text NOT NULL,
  to_address text NOT NULL,
  amount_units numeric(38, 0) NOT NULL CHECK (amount_units > 0),
  trader_id uuid NOT NULL REFERENCES trader ON DELETE RESTRICT,
  payment_id uuid REFERENCES payment ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (chain_id, transaction_hash, log_index)
);
CREATE INDEX deposit_by_trader ON deposit (trader_id, block_number DESC);

DO $$
DECLARE
  scoped text;
BEGIN
  FOREACH scoped IN ARRAY ARRAY['chain_cursor', 'deposit'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', scoped);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', scoped);
    EXECUTE format('CREATE POLICY %I ON %I USING ((SELECT app.sees_all()))', scoped || '_scope', scoped);
  END LOOP;
END
$$;
REVOKE UPDATE, DELETE, TRUNCATE ON deposit FROM copydesk_app;
GRANT UPDATE (payment_id) ON deposit TO copydesk_app;
REVOKE DELETE, TRUNCATE ON chain_cursor FROM copydesk_app;

-- Addresses are looked up as the chain tells them, in any case of letters.
CREATE INDEX trader_by_deposit_address ON trader (lower(deposit_address)) WHERE deposit_address IS NOT NULL;
