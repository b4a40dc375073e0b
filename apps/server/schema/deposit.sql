-- Written by `npm run generate` from a migrated database. Do not edit.

-- A transfer to a deposit address, found in a final block.
CREATE TABLE deposit (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  chain_id integer NOT NULL,
  token_address text NOT NULL,
  transaction_hash text NOT NULL,
  log_index integer NOT NULL,
  block_number bigint NOT NULL,
  block_hash text NOT NULL,
  from_address text NOT NULL,
  to_address text NOT NULL,
  amount_units numeric(38,0) NOT NULL,
  trader_id uuid NOT NULL,
  payment_id uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT deposit_amount_units_check CHECK (amount_units > 0::numeric),
  CONSTRAINT deposit_chain_id_transaction_hash_log_index_key UNIQUE (chain_id, transaction_hash, log_index),
  CONSTRAINT deposit_log_index_check CHECK (log_index >= 0),
  CONSTRAINT deposit_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment(id) ON DELETE RESTRICT,
  CONSTRAINT deposit_pkey PRIMARY KEY (id),
  CONSTRAINT deposit_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE RESTRICT,
  CONSTRAINT deposit_transaction_hash_check CHECK (transaction_hash ~ '^0x[0-9a-f]{64}$')
);

CREATE INDEX deposit_by_time ON deposit (created_at);
CREATE INDEX deposit_by_trader ON deposit (trader_id, block_number DESC);

ALTER TABLE deposit ENABLE ROW LEVEL SECURITY;
ALTER TABLE deposit FORCE ROW LEVEL SECURITY;
CREATE POLICY deposit_scope ON deposit FOR ALL
  USING ((SELECT app.sees_all()));
