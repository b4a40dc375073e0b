-- Pooled accounts: a community's shared exchange account, its harvest cycles, and the virtual balances in it.

CREATE TABLE pooled_account (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  community_id uuid NOT NULL UNIQUE REFERENCES community,
  is_active boolean NOT NULL DEFAULT true,
  minimum_deposit_units numeric(38, 0) NOT NULL CHECK (minimum_deposit_units > 0),
  proxy_address text NOT NULL CHECK (proxy_address ~ '^0x[0-9a-fA-F]{40}$'),
  proxy_balance_units numeric(38, 0) NOT NULL DEFAULT 0 CHECK (proxy_balance_units >= 0),
  bybit_uid text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE harvest_cycle (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  pooled_account_id uuid NOT NULL REFERENCES pooled_account ON DELETE RESTRICT,
  cycle_number integer NOT NULL CHECK (cycle_number > 0),
  status text NOT NULL DEFAULT 'stopped' CHECK (status IN
    ('harvesting', 'stopped', 'starting_harvesting', 'stopping_harvesting', 'awaiting_bybit_withdrawal',
     'processing_invoices', 'failed')),
  version integer NOT NULL DEFAULT 1,
  deadline_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (pooled_account_id, cycle_number)
);
CREATE UNIQUE INDEX harvest_cycle_current ON harvest_cycle (pooled_account_id) WHERE ended_at IS NULL;

CREATE TABLE pool_balance (
  pooled_account_id uuid NOT NULL REFERENCES pooled_account ON DELETE RESTRICT,
  trader_id uuid NOT NULL REFERENCES trader ON DELETE RESTRICT,
  virtual_units numeric(38, 0) NOT NULL DEFAULT 0 CHECK (virtual_units >= 0),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (pooled_account_id, trader_id)
);
CREATE INDEX pool_balance_by_trader ON pool_balance (trader_id);

CREATE TABLE pool_transaction (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  pooled_account_id uuid NOT NULL REFERENCES pooled_account ON DELETE RESTRICT,
  trader_id uuid NOT NULL REFERENCES trader ON DELETE RESTRICT,
  cycle_id uuid NOT NULL REFERENCES harvest_cycle ON DELETE RESTRICT,
  kind text NOT NULL CHECK (kind IN ('deposit', 'withdrawal', 'profit', 'loss')),
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'completed', 'failed')),
  amount_units numeric(38, 0) NOT NULL CHECK (amount_units > 0),
  transaction_hash text CHECK (transaction_hash ~ '^0x[0-9a-f]{64}$'),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX pool_transaction_by_pool ON pool_transaction (pooled_account_id, created_at DESC);
CREATE INDEX pool_transaction_by_trader ON pool_transaction (trader_id);
CREATE INDEX pool_transaction_by_cycle ON pool_transaction (cycle_id);

-- A pool is seen with its community; what is a trader's in it, with the trader.
DO $$
DECLARE
  scoped text;
  condition text;
BEGIN
  FOREACH scoped IN ARRAY ARRAY['pooled_account', 'harvest_cycle', 'pool_balance', 'pool_transaction'] LOOP
    condition := CASE scoped
      WHEN 'pooled_account' THEN
        'EXISTS (SELECT FROM community c WHERE c.id = pooled_account.community_id)'
      WHEN 'harvest_cycle' THEN
        'EXISTS (SELECT FROM pooled_account p WHERE p.id = harvest_cycle.pooled_account_id)'
      ELSE format('EXISTS (SELECT FROM trader t WHERE t.id = %I.trader_id)', scoped) END;
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', scoped);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', scoped);
    EXECUTE format('CREATE POLICY %I ON %I USING ((SELECT app.sees_all()) OR %s)',
      scoped || '_scope', scoped, condition);
  END LOOP;
END
$$;
