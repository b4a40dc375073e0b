-- Written by `npm run generate` from a migrated database. Do not edit.

-- Tokens in a final block at the pool address of a member. A queued one is not part of the pool yet.
CREATE TABLE pool_deposit (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  pooled_account_id uuid NOT NULL,
  member_id uuid NOT NULL,
  chain_id integer NOT NULL,
  token_address text NOT NULL,
  transaction_hash text NOT NULL,
  log_index integer NOT NULL,
  block_number bigint NOT NULL,
  from_address text NOT NULL,
  amount_units numeric(38,0) NOT NULL,
  state text NOT NULL DEFAULT 'queued',
  -- The transfer that collects or returns it.
  transfer_id uuid,
  -- The cycle that admitted it.
  cycle_id uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  -- The order to return it. While that one waits, the deposit is not collected.
  return_order_id uuid,
  CONSTRAINT pool_deposit_amount_units_check CHECK (amount_units > 0::numeric),
  CONSTRAINT pool_deposit_block_number_check CHECK (block_number >= 0),
  CONSTRAINT pool_deposit_chain_id_transaction_hash_log_index_key UNIQUE (chain_id, transaction_hash, log_index),
  CONSTRAINT pool_deposit_check CHECK ((state = ANY (ARRAY['admitted', 'returned'])) = (ended_at IS NOT NULL)),
  CONSTRAINT pool_deposit_check1 CHECK ((state = 'queued') = (transfer_id IS NULL)),
  CONSTRAINT pool_deposit_check2 CHECK ((state = 'admitted') = (cycle_id IS NOT NULL)),
  CONSTRAINT pool_deposit_cycle_id_fkey FOREIGN KEY (cycle_id) REFERENCES harvest_cycle(id) ON DELETE RESTRICT,
  CONSTRAINT pool_deposit_from_address_check CHECK (from_address ~ '^0x[0-9a-fA-F]{40}$'),
  CONSTRAINT pool_deposit_log_index_check CHECK (log_index >= 0),
  CONSTRAINT pool_deposit_member_id_pooled_account_id_fkey FOREIGN KEY (member_id, pooled_account_id)
    REFERENCES pool_member(id, pooled_account_id) ON DELETE RESTRICT,
  CONSTRAINT pool_deposit_pkey PRIMARY KEY (id),
  CONSTRAINT pool_deposit_state_check
    CHECK (state = ANY (ARRAY['queued', 'collecting', 'admitted', 'returning', 'returned'])),
  CONSTRAINT pool_deposit_token_address_check CHECK (token_address ~ '^0x[0-9a-f]{40}$'),
  CONSTRAINT pool_deposit_transaction_hash_check CHECK (transaction_hash ~ '^0x[0-9a-f]{64}$'),
  CONSTRAINT pool_deposit_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES transfer(id) ON DELETE RESTRICT
);

CREATE INDEX pool_deposit_by_member ON pool_deposit (member_id, created_at DESC);
CREATE INDEX pool_deposit_by_pool ON pool_deposit (pooled_account_id, created_at DESC, id);
CREATE INDEX pool_deposit_by_transfer ON pool_deposit (transfer_id) WHERE transfer_id IS NOT NULL;
CREATE INDEX pool_deposit_queued ON pool_deposit (member_id) WHERE state = 'queued';
CREATE INDEX pool_deposit_under_way ON pool_deposit (transfer_id)
  WHERE state = ANY (ARRAY['collecting', 'returning']);

ALTER TABLE pool_deposit ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_deposit FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_deposit_scope ON pool_deposit FOR ALL
  USING ((SELECT app.sees_all()) OR (EXISTS (SELECT FROM pool_member m WHERE m.id = pool_deposit.member_id)))
  WITH CHECK ((SELECT app.sees_all()));
