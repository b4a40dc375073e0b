-- Written by `npm run generate` from a migrated database. Do not edit.

-- Transfers to deposit addresses of traders that owe, in blocks that are not final. Never booked: they only delay
-- what would end an order or invoice.
CREATE TABLE incoming_transfer (
  chain_id integer NOT NULL,
  transaction_hash text NOT NULL,
  log_index integer NOT NULL,
  trader_id uuid NOT NULL,
  block_number bigint NOT NULL,
  amount_units numeric(78,0) NOT NULL,
  -- When a worker saw it first.
  seen_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT incoming_transfer_amount_units_check CHECK (amount_units > 0::numeric),
  CONSTRAINT incoming_transfer_pkey PRIMARY KEY (chain_id, transaction_hash, log_index),
  CONSTRAINT incoming_transfer_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE CASCADE,
  CONSTRAINT incoming_transfer_transaction_hash_check CHECK (transaction_hash ~ '^0x[0-9a-f]{64}$')
);

CREATE INDEX incoming_transfer_by_trader ON incoming_transfer (trader_id);

ALTER TABLE incoming_transfer ENABLE ROW LEVEL SECURITY;
ALTER TABLE incoming_transfer FORCE ROW LEVEL SECURITY;
CREATE POLICY incoming_transfer_scope ON incoming_transfer FOR ALL
  USING ((SELECT app.sees_all()))
  WITH CHECK ((SELECT app.sees_all()));
