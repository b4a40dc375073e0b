-- Written by `npm run generate` from a migrated database. Do not edit.

-- Deposits and withdrawals of a pool's exchange account, as the exchange lists them. The last reading of each stays.
CREATE TABLE pool_movement (
  pooled_account_id uuid NOT NULL,
  kind text NOT NULL,
  record_id text NOT NULL,
  transaction_hash text,
  amount_units numeric(38,0) NOT NULL,
  fee_units numeric(38,0),
  to_address text NOT NULL,
  -- done: a deposit is credited, a withdrawal has left. ended: it came to nothing. problem: the owner has to act.
  state text NOT NULL,
  venue_status text NOT NULL,
  problem text,
  happened_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pool_movement_amount_units_check CHECK (amount_units >= 0::numeric),
  CONSTRAINT pool_movement_kind_check CHECK (kind = ANY (ARRAY['deposit', 'withdrawal'])),
  CONSTRAINT pool_movement_pkey PRIMARY KEY (pooled_account_id, kind, record_id),
  CONSTRAINT pool_movement_pooled_account_id_fkey FOREIGN KEY (pooled_account_id) REFERENCES pooled_account(id)
    ON DELETE RESTRICT,
  CONSTRAINT pool_movement_state_check
    CHECK (state = ANY (ARRAY['under_way', 'done', 'ended', 'problem', 'unknown'])),
  CONSTRAINT pool_movement_transaction_hash_check CHECK (transaction_hash ~ '^0x[0-9a-f]{64}$')
);

CREATE INDEX pool_movement_by_time ON pool_movement (pooled_account_id, happened_at DESC, record_id);
CREATE INDEX pool_movement_by_transaction ON pool_movement (transaction_hash) WHERE transaction_hash IS NOT NULL;

ALTER TABLE pool_movement ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_movement FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_movement_scope ON pool_movement FOR ALL
  USING ((SELECT app.sees_all()));
