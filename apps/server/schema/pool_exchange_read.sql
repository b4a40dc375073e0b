-- Written by `npm run generate` from a migrated database. Do not edit.

-- USDT in a pool's exchange account, with the unrealised result of open positions, as last read. While the pool
-- trades it differs from the books by the unbooked result.
CREATE TABLE pool_exchange_read (
  pooled_account_id uuid NOT NULL,
  balance_units numeric(38,0),
  read_at timestamptz,
  -- Why the last attempt failed; the balance is then of an earlier one.
  problem text,
  tried_at timestamptz NOT NULL,
  -- At the last read. NULL: they were not read.
  open_positions integer,
  open_orders integer,
  CONSTRAINT pool_exchange_read_check CHECK ((balance_units IS NULL) = (read_at IS NULL)),
  CONSTRAINT pool_exchange_read_pkey PRIMARY KEY (pooled_account_id),
  CONSTRAINT pool_exchange_read_pooled_account_id_fkey FOREIGN KEY (pooled_account_id) REFERENCES pooled_account(id)
    ON DELETE RESTRICT,
  CONSTRAINT pool_exchange_read_problem_check CHECK (problem ~ '^[a-z_]+$')
);

ALTER TABLE pool_exchange_read ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_exchange_read FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_exchange_read_scope ON pool_exchange_read FOR ALL
  USING ((SELECT app.sees_all()));
