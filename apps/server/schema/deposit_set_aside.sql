-- Written by `npm run generate` from a migrated database. Do not edit.

-- A transfer to a deposit address that cannot be booked. It is kept for review, and reading continues.
CREATE TABLE deposit_set_aside (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  chain_id integer NOT NULL,
  token_address text NOT NULL,
  transaction_hash text NOT NULL,
  log_index integer NOT NULL,
  block_number bigint NOT NULL,
  block_hash text NOT NULL,
  from_address text NOT NULL,
  to_address text NOT NULL,
  -- Any amount that a token contract can report: below 2^256.
  amount_units numeric(78,0) NOT NULL,
  trader_id uuid NOT NULL,
  reason text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT deposit_set_aside_amount_units_check CHECK (amount_units >= 0::numeric),
  CONSTRAINT deposit_set_aside_chain_id_transaction_hash_log_index_key UNIQUE (chain_id, transaction_hash, log_index),
  CONSTRAINT deposit_set_aside_log_index_check CHECK (log_index >= 0),
  CONSTRAINT deposit_set_aside_pkey PRIMARY KEY (id),
  CONSTRAINT deposit_set_aside_reason_check CHECK (reason = ANY (ARRAY['amount_too_large', 'cannot_be_booked'])),
  CONSTRAINT deposit_set_aside_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE RESTRICT,
  CONSTRAINT deposit_set_aside_transaction_hash_check CHECK (transaction_hash ~ '^0x[0-9a-f]{64}$')
);

CREATE INDEX deposit_set_aside_newest ON deposit_set_aside (created_at DESC, id);

ALTER TABLE deposit_set_aside ENABLE ROW LEVEL SECURITY;
ALTER TABLE deposit_set_aside FORCE ROW LEVEL SECURITY;
CREATE POLICY deposit_set_aside_scope ON deposit_set_aside FOR ALL
  USING ((SELECT app.sees_all()));
