-- Written by `npm run generate` from a migrated database. Do not edit.

-- The virtual balance of a trader in a pooled account, visible with the trader.
CREATE TABLE pool_balance (
  pooled_account_id uuid NOT NULL,
  trader_id uuid NOT NULL,
  virtual_units numeric(38,0) NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pool_balance_pkey PRIMARY KEY (pooled_account_id, trader_id),
  CONSTRAINT pool_balance_pooled_account_id_fkey FOREIGN KEY (pooled_account_id) REFERENCES pooled_account(id)
    ON DELETE RESTRICT,
  CONSTRAINT pool_balance_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE RESTRICT,
  CONSTRAINT pool_balance_virtual_units_check CHECK (virtual_units >= 0::numeric)
);

CREATE INDEX pool_balance_by_trader ON pool_balance (trader_id);

ALTER TABLE pool_balance ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_balance FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_balance_scope ON pool_balance FOR ALL
  USING ((SELECT app.sees_all()) OR (EXISTS (SELECT FROM trader t WHERE t.id = pool_balance.trader_id)));
