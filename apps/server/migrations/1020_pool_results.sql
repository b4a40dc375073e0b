-- Results of harvest cycles: closed positions of pools as evidence, every member's part, and the invoices of their fees.

CREATE TABLE pool_position (
  pooled_account_id uuid NOT NULL REFERENCES pooled_account ON DELETE RESTRICT,
  venue_id text NOT NULL,
  cycle_id uuid NOT NULL REFERENCES harvest_cycle ON DELETE RESTRICT,
  symbol text NOT NULL,
  side text NOT NULL CHECK (side IN ('long', 'short')),
  size numeric,
  entry_price numeric,
  exit_price numeric,
  result numeric,
  closed_at timestamptz NOT NULL,
  PRIMARY KEY (pooled_account_id, venue_id)
);
COMMENT ON TABLE pool_position IS 'Closed positions of a pool''s exchange account.';
COMMENT ON COLUMN pool_position.cycle_id IS 'The cycle in which it was read: it explains that cycle''s result.';
COMMENT ON COLUMN pool_position.result IS 'USD, net of fees where the exchange says so; NULL: unknown.';
CREATE INDEX pool_position_by_cycle ON pool_position (cycle_id);
CREATE INDEX pool_position_by_time ON pool_position (pooled_account_id, closed_at DESC);

ALTER TABLE pooled_account ADD COLUMN positions_read_until timestamptz;
COMMENT ON COLUMN pooled_account.positions_read_until IS
  'All positions closed before were read; NULL: none yet. It moves only with spans that were read to their end.';

ALTER TABLE pool_position ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_position FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_position_scope ON pool_position USING ((SELECT app.sees_all()));
REVOKE UPDATE, DELETE ON pool_position FROM copydesk_app;

CREATE TABLE harvest_allocation (
  cycle_id uuid NOT NULL REFERENCES harvest_cycle ON DELETE RESTRICT,
  member_id uuid NOT NULL REFERENCES pool_member ON DELETE RESTRICT,
  place integer NOT NULL CHECK (place >= 0),
  share_units numeric(38, 0) NOT NULL CHECK (share_units >= 0),
  allocated_units numeric(38, 0) NOT NULL,
  winners_units numeric(38, 0) NOT NULL CHECK (winners_units >= 0),
  carry_before_units numeric(38, 0),
  carry_after_units numeric(38, 0),
  fee_units numeric(38, 0) CHECK (fee_units >= 0),
  capital_after_units numeric(38, 0) CHECK (capital_after_units >= 0),
  provider_id uuid REFERENCES provider,
  invoice_id uuid UNIQUE REFERENCES invoice ON DELETE RESTRICT,
  booked_at timestamptz,
  PRIMARY KEY (cycle_id, member_id),
  UNIQUE (cycle_id, place),
  CHECK ((booked_at IS NULL) = (fee_units IS NULL)),
  CHECK ((booked_at IS NULL) = (capital_after_units IS NULL)),
  CHECK (invoice_id IS NULL OR fee_units > 0)
);
COMMENT ON TABLE harvest_allocation IS 'Every member''s part of the result of a cycle, and the fee on it.';
COMMENT ON COLUMN harvest_allocation.place IS 'The order of the members: chunks of it are booked one after the other.';
COMMENT ON COLUMN harvest_allocation.capital_after_units IS 'The virtual balance at the opening, before deposits and withdrawals.';
CREATE INDEX harvest_allocation_by_member ON harvest_allocation (member_id);
CREATE INDEX harvest_allocation_unbooked ON harvest_allocation (cycle_id, place) WHERE booked_at IS NULL;

ALTER TABLE harvest_allocation ENABLE ROW LEVEL SECURITY;
ALTER TABLE harvest_allocation FORCE ROW LEVEL SECURITY;
CREATE POLICY harvest_allocation_scope ON harvest_allocation
  USING ((SELECT app.sees_all()) OR EXISTS (SELECT FROM pool_member m WHERE m.id = harvest_allocation.member_id))
  WITH CHECK ((SELECT app.sees_all()));
REVOKE UPDATE, DELETE ON harvest_allocation FROM copydesk_app;
GRANT UPDATE (carry_before_units, carry_after_units, fee_units, capital_after_units, provider_id, invoice_id, booked_at)
  ON harvest_allocation TO copydesk_app;

ALTER TABLE harvest_cycle
  ADD COLUMN fee_transfer_id uuid UNIQUE REFERENCES transfer ON DELETE RESTRICT,
  ADD COLUMN valued_returned_units numeric(38, 0),
  ADD COLUMN valued_exchange_units numeric(38, 0),
  ADD COLUMN valued_lost_units numeric(38, 0),
  ADD COLUMN valued_unexplained_units numeric(38, 0),
  ADD COLUMN valued_uncovered_units numeric(38, 0),
  ADD CONSTRAINT harvest_cycle_valued CHECK (num_nonnulls(result_units, valued_returned_units, valued_exchange_units,
    valued_lost_units, valued_unexplained_units, valued_uncovered_units) IN (0, 6));
COMMENT ON COLUMN harvest_cycle.valued_returned_units IS
  'Balances that the valuation ends, as they were: its journals are derived from them again after a crash.';
COMMENT ON COLUMN harvest_cycle.fee_transfer_id IS
  'Brings the fees from the proxy wallet to the community''s wallet, which pays the invoices of the cycle.';

ALTER TABLE invoice
  ADD COLUMN harvest_cycle_id uuid REFERENCES harvest_cycle ON DELETE RESTRICT,
  DROP CONSTRAINT invoice_settled_by_check,
  ADD CONSTRAINT invoice_settled_by_check CHECK (settled_by IN ('chain', 'manual', 'pool')),
  ADD CONSTRAINT invoice_of_pool CHECK (settled_by <> 'pool' OR harvest_cycle_id IS NOT NULL);
COMMENT ON COLUMN invoice.harvest_cycle_id IS
  'The cycle whose fee it is: the pool pays it out of its member''s virtual balance. NULL: the trader pays it.';
CREATE INDEX invoice_by_cycle ON invoice (harvest_cycle_id) WHERE harvest_cycle_id IS NOT NULL;
