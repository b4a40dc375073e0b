-- Written by `npm run generate` from a migrated database. Do not edit.

-- Every member's part of the result of a cycle, and the fee on it.
CREATE TABLE harvest_allocation (
  cycle_id uuid NOT NULL,
  member_id uuid NOT NULL,
  -- The order of the members: chunks of it are booked one after the other.
  place integer NOT NULL,
  share_units numeric(38,0) NOT NULL,
  allocated_units numeric(38,0) NOT NULL,
  winners_units numeric(38,0) NOT NULL,
  carry_before_units numeric(38,0),
  carry_after_units numeric(38,0),
  fee_units numeric(38,0),
  -- The virtual balance at the opening, before deposits and withdrawals.
  capital_after_units numeric(38,0),
  provider_id uuid,
  invoice_id uuid,
  booked_at timestamptz,
  CONSTRAINT harvest_allocation_capital_after_units_check CHECK (capital_after_units >= 0::numeric),
  CONSTRAINT harvest_allocation_check CHECK ((booked_at IS NULL) = (fee_units IS NULL)),
  CONSTRAINT harvest_allocation_check1 CHECK ((booked_at IS NULL) = (capital_after_units IS NULL)),
  CONSTRAINT harvest_allocation_check2 CHECK (invoice_id IS NULL OR fee_units > 0::numeric),
  CONSTRAINT harvest_allocation_cycle_id_fkey FOREIGN KEY (cycle_id) REFERENCES harvest_cycle(id) ON DELETE RESTRICT,
  CONSTRAINT harvest_allocation_cycle_id_place_key UNIQUE (cycle_id, place),
  CONSTRAINT harvest_allocation_fee_units_check CHECK (fee_units >= 0::numeric),
  CONSTRAINT harvest_allocation_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoice(id) ON DELETE RESTRICT,
  CONSTRAINT harvest_allocation_invoice_id_key UNIQUE (invoice_id),
  CONSTRAINT harvest_allocation_member_id_fkey FOREIGN KEY (member_id) REFERENCES pool_member(id) ON DELETE RESTRICT,
  CONSTRAINT harvest_allocation_pkey PRIMARY KEY (cycle_id, member_id),
  CONSTRAINT harvest_allocation_place_check CHECK (place >= 0),
  CONSTRAINT harvest_allocation_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  CONSTRAINT harvest_allocation_share_units_check CHECK (share_units >= 0::numeric),
  CONSTRAINT harvest_allocation_winners_units_check CHECK (winners_units >= 0::numeric)
);

CREATE INDEX harvest_allocation_by_member ON harvest_allocation (member_id);
CREATE INDEX harvest_allocation_unbooked ON harvest_allocation (cycle_id, place) WHERE booked_at IS NULL;

ALTER TABLE harvest_allocation ENABLE ROW LEVEL SECURITY;
ALTER TABLE harvest_allocation FORCE ROW LEVEL SECURITY;
CREATE POLICY harvest_allocation_scope ON harvest_allocation FOR ALL
  USING ((SELECT app.sees_all()) OR (EXISTS (SELECT FROM pool_member m WHERE m.id = harvest_allocation.member_id)))
  WITH CHECK ((SELECT app.sees_all()));
