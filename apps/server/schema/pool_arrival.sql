-- Written by `npm run generate` from a migrated database. Do not edit.

-- Tokens in a final block at a pool's proxy wallet that none of our own transfers brought.
CREATE TABLE pool_arrival (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  pooled_account_id uuid NOT NULL,
  cycle_id uuid NOT NULL,
  chain_id integer NOT NULL,
  token_address text NOT NULL,
  transaction_hash text NOT NULL,
  log_index integer NOT NULL,
  block_number bigint NOT NULL,
  from_address text NOT NULL,
  amount_units numeric(38,0) NOT NULL,
  -- returned: a withdrawal from the exchange. bounced: a funding transfer that it sent back. unexplained: neither is
  -- known.
  state text NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now(),
  resolved_at timestamptz,
  -- The part whose end two people decided. The rest is unexplained.
  decided_units numeric(38,0) NOT NULL DEFAULT 0,
  -- The part that came from the exchange and was not the pool's own: two people decide about it.
  foreign_units numeric(38,0) NOT NULL DEFAULT 0,
  CONSTRAINT pool_arrival_amount_units_check CHECK (amount_units > 0::numeric),
  CONSTRAINT pool_arrival_block_number_check CHECK (block_number >= 0),
  CONSTRAINT pool_arrival_chain_id_transaction_hash_log_index_key UNIQUE (chain_id, transaction_hash, log_index),
  CONSTRAINT pool_arrival_check CHECK ((state = 'resolved') = (resolved_at IS NOT NULL)),
  CONSTRAINT pool_arrival_cycle_id_fkey FOREIGN KEY (cycle_id) REFERENCES harvest_cycle(id) ON DELETE RESTRICT,
  CONSTRAINT pool_arrival_decided CHECK (decided_units >= 0::numeric AND decided_units <= amount_units),
  CONSTRAINT pool_arrival_foreign CHECK (foreign_units >= 0::numeric AND foreign_units <= amount_units),
  CONSTRAINT pool_arrival_from_address_check CHECK (from_address ~ '^0x[0-9a-fA-F]{40}$'),
  CONSTRAINT pool_arrival_log_index_check CHECK (log_index >= 0),
  CONSTRAINT pool_arrival_pkey PRIMARY KEY (id),
  CONSTRAINT pool_arrival_pooled_account_id_fkey FOREIGN KEY (pooled_account_id) REFERENCES pooled_account(id)
    ON DELETE RESTRICT,
  CONSTRAINT pool_arrival_resolved CHECK (state <> 'resolved' OR decided_units = amount_units),
  CONSTRAINT pool_arrival_state_check CHECK (state = ANY (ARRAY['returned', 'bounced', 'unexplained', 'resolved'])),
  CONSTRAINT pool_arrival_token_address_check CHECK (token_address ~ '^0x[0-9a-f]{40}$'),
  CONSTRAINT pool_arrival_transaction_hash_check CHECK (transaction_hash ~ '^0x[0-9a-f]{64}$')
);

CREATE INDEX pool_arrival_by_pool ON pool_arrival (pooled_account_id, seen_at DESC, id);
CREATE INDEX pool_arrival_unexplained ON pool_arrival (pooled_account_id) WHERE state = 'unexplained';

ALTER TABLE pool_arrival ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_arrival FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_arrival_scope ON pool_arrival FOR ALL
  USING ((SELECT app.sees_all()));
