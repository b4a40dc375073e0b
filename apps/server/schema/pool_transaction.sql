-- Written by `npm run generate` from a migrated database. Do not edit.

-- Deposits, withdrawals, profits and losses of a trader in a pooled account.
CREATE TABLE pool_transaction (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  pooled_account_id uuid NOT NULL,
  trader_id uuid NOT NULL,
  cycle_id uuid NOT NULL,
  kind text NOT NULL,
  status text NOT NULL DEFAULT 'pending',
  amount_units numeric(38,0) NOT NULL,
  transaction_hash text,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pool_transaction_amount_units_check CHECK (amount_units > 0::numeric),
  CONSTRAINT pool_transaction_cycle_id_fkey FOREIGN KEY (cycle_id) REFERENCES harvest_cycle(id) ON DELETE RESTRICT,
  CONSTRAINT pool_transaction_kind_check CHECK (kind = ANY (ARRAY['deposit', 'withdrawal', 'profit', 'loss'])),
  CONSTRAINT pool_transaction_pkey PRIMARY KEY (id),
  CONSTRAINT pool_transaction_pooled_account_id_fkey FOREIGN KEY (pooled_account_id) REFERENCES pooled_account(id)
    ON DELETE RESTRICT,
  CONSTRAINT pool_transaction_status_check CHECK (status = ANY (ARRAY['pending', 'completed', 'failed'])),
  CONSTRAINT pool_transaction_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE RESTRICT,
  CONSTRAINT pool_transaction_transaction_hash_check CHECK (transaction_hash ~ '^0x[0-9a-f]{64}$')
);

CREATE INDEX pool_transaction_by_cycle ON pool_transaction (cycle_id);
CREATE INDEX pool_transaction_by_pool ON pool_transaction (pooled_account_id, created_at DESC);
CREATE INDEX pool_transaction_by_trader ON pool_transaction (trader_id);

ALTER TABLE pool_transaction ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_transaction FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_transaction_scope ON pool_transaction FOR ALL
  USING ((SELECT app.sees_all()) OR (EXISTS (SELECT FROM trader t WHERE t.id = pool_transaction.trader_id)));
