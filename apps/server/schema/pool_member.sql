-- Written by `npm run generate` from a migrated database. Do not edit.

-- A trader in a pooled account, with its figures from the ledger.
CREATE TABLE pool_member (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  pooled_account_id uuid NOT NULL,
  trader_id uuid NOT NULL,
  -- Path index of the deposit address, in a branch apart from the addresses for invoices.
  deposit_index integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  deposit_address text,
  -- The virtual balance: the balance of pool_capital, kept by a trigger.
  capital_units numeric(38,0) NOT NULL DEFAULT 0,
  -- Final deposits that the pool has not admitted: the balance of pool_pending, kept by a trigger.
  pending_units numeric(38,0) NOT NULL DEFAULT 0,
  -- Losses that later profits make up for before a fee is charged.
  carry_units numeric(38,0) NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pool_member_capital_units_check CHECK (capital_units >= 0::numeric),
  CONSTRAINT pool_member_carry_units_check CHECK (carry_units >= 0::numeric),
  CONSTRAINT pool_member_deposit_address_check CHECK (deposit_address ~ '^0x[0-9a-fA-F]{40}$'),
  CONSTRAINT pool_member_deposit_index_key UNIQUE (deposit_index),
  CONSTRAINT pool_member_id_pooled_account_id_key UNIQUE (id, pooled_account_id),
  CONSTRAINT pool_member_pending_units_check CHECK (pending_units >= 0::numeric),
  CONSTRAINT pool_member_pkey PRIMARY KEY (id),
  CONSTRAINT pool_member_pooled_account_id_fkey FOREIGN KEY (pooled_account_id) REFERENCES pooled_account(id)
    ON DELETE RESTRICT,
  CONSTRAINT pool_member_pooled_account_id_trader_id_key UNIQUE (pooled_account_id, trader_id),
  CONSTRAINT pool_member_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE RESTRICT
);

CREATE UNIQUE INDEX pool_member_by_address ON pool_member (lower(deposit_address));
CREATE INDEX pool_member_by_capital ON pool_member (pooled_account_id, capital_units DESC, id);
CREATE INDEX pool_member_by_trader ON pool_member (trader_id);
CREATE INDEX pool_member_pending ON pool_member (pooled_account_id, capital_units DESC, id)
  WHERE pending_units > 0::numeric;

ALTER TABLE pool_member ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_member FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_member_scope ON pool_member FOR ALL
  USING ((SELECT app.sees_all()) OR (EXISTS (SELECT FROM trader t WHERE t.id = pool_member.trader_id)))
  WITH CHECK ((SELECT app.sees_all()));

CREATE TRIGGER pool_capital_changed AFTER UPDATE ON pool_member REFERENCING OLD TABLE AS taken NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION app.pool_capital_written();
CREATE TRIGGER pool_member_address_given BEFORE INSERT ON pool_member FOR EACH ROW
  WHEN (new.deposit_address IS NOT NULL AND app.is_api()) EXECUTE FUNCTION app.refuse_own_address();
CREATE TRIGGER pool_members_updated AFTER UPDATE ON pool_member REFERENCING OLD TABLE AS taken NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION app.pool_members_written();
CREATE TRIGGER text_written AFTER INSERT OR UPDATE OF deposit_address ON pool_member FOR EACH ROW
  WHEN (new.deposit_address IS NOT NULL) EXECUTE FUNCTION app.member_address_written();
