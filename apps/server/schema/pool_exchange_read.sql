-- Written by `npm run generate` from a migrated database. Do not edit.

-- The USDT balance of a pool's exchange account, as last read. While the pool trades it differs from the books by
-- the unbooked result.
CREATE TABLE pool_exchange_read (
  pooled_account_id uuid NOT NULL,
  balance_units numeric(38,0) NOT NULL,
  read_at timestamptz NOT NULL,
  CONSTRAINT pool_exchange_read_balance_units_check CHECK (balance_units >= 0::numeric),
  CONSTRAINT pool_exchange_read_pkey PRIMARY KEY (pooled_account_id),
  CONSTRAINT pool_exchange_read_pooled_account_id_fkey FOREIGN KEY (pooled_account_id) REFERENCES pooled_account(id)
    ON DELETE RESTRICT
);

ALTER TABLE pool_exchange_read ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_exchange_read FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_exchange_read_scope ON pool_exchange_read FOR ALL
  USING ((SELECT app.sees_all()));
