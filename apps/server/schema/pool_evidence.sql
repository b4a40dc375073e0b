-- Written by `npm run generate` from a migrated database. Do not edit.

-- Reads of a pool's exchange account that decided something. Rows are never changed.
CREATE TABLE pool_evidence (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  pooled_account_id uuid NOT NULL,
  cycle_id uuid NOT NULL,
  read_at timestamptz NOT NULL,
  open_positions integer NOT NULL,
  open_orders integer NOT NULL,
  unstored_positions integer NOT NULL,
  balance_units numeric(38,0) NOT NULL,
  -- The value of other coins, in base units of USDT. Before owed_coins_units was recorded: less those that are owed.
  other_coins_units numeric(38,0) NOT NULL,
  -- NULL: the key may not read withdrawals.
  open_withdrawals integer,
  -- Fees of this cycle's withdrawals, as far as they can be read.
  withdrawal_fee_units numeric(38,0) NOT NULL,
  dust_units numeric(38,0) NOT NULL,
  -- The result of trading by the exchange's own log; NULL: not read.
  logged_result_units numeric(38,0),
  detail jsonb NOT NULL DEFAULT '{}'::jsonb,
  -- Sums of the log by types that are not trading, base units as text. NULL: not read, or before this was recorded.
  foreign_types jsonb,
  -- Until when the log was read: the next cycle reads on from here. NULL: not read, or before this was recorded.
  log_read_until timestamptz,
  -- USDT that is owed to the exchange.
  owed_units numeric(38,0) NOT NULL DEFAULT 0,
  -- The value of other coins that are owed to the exchange.
  owed_coins_units numeric(38,0) NOT NULL DEFAULT 0,
  -- What left since the pause by neither trading nor withdrawing, as a repaid loan.
  left_units numeric(38,0) NOT NULL DEFAULT 0,
  CONSTRAINT pool_evidence_cycle_id_fkey FOREIGN KEY (cycle_id) REFERENCES harvest_cycle(id) ON DELETE RESTRICT,
  CONSTRAINT pool_evidence_foreign_types_check CHECK (jsonb_typeof(foreign_types) = 'object'),
  CONSTRAINT pool_evidence_owed_check
    CHECK (owed_units >= 0::numeric AND owed_coins_units >= 0::numeric AND left_units >= 0::numeric),
  CONSTRAINT pool_evidence_pkey PRIMARY KEY (id),
  CONSTRAINT pool_evidence_pooled_account_id_fkey FOREIGN KEY (pooled_account_id) REFERENCES pooled_account(id)
    ON DELETE RESTRICT
);

CREATE INDEX pool_evidence_by_cycle ON pool_evidence (cycle_id, read_at DESC, id DESC);

ALTER TABLE pool_evidence ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_evidence FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_evidence_scope ON pool_evidence FOR ALL
  USING ((SELECT app.sees_all()));
