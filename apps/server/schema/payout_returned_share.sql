-- Written by `npm run generate` from a migrated database. Do not edit.

-- A share that was ordered in a payout and returned to pending, because its deposit address could not be emptied.
CREATE TABLE payout_returned_share (
  payout_id uuid NOT NULL,
  payable_id uuid NOT NULL,
  amount_units numeric(38,0) NOT NULL,
  -- The consolidation that was stuck; NULL when the share only has the account of its invoice in common with one.
  consolidation_id uuid,
  returned_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT payout_returned_share_amount_units_check CHECK (amount_units > 0::numeric),
  CONSTRAINT payout_returned_share_consolidation_id_fkey FOREIGN KEY (consolidation_id) REFERENCES transfer(id)
    ON DELETE RESTRICT,
  CONSTRAINT payout_returned_share_payable_id_fkey FOREIGN KEY (payable_id) REFERENCES payable(id) ON DELETE RESTRICT,
  CONSTRAINT payout_returned_share_payout_id_fkey FOREIGN KEY (payout_id) REFERENCES payout(id) ON DELETE RESTRICT,
  CONSTRAINT payout_returned_share_pkey PRIMARY KEY (payout_id, payable_id)
);

ALTER TABLE payout_returned_share ENABLE ROW LEVEL SECURITY;
ALTER TABLE payout_returned_share FORCE ROW LEVEL SECURITY;
CREATE POLICY payout_returned_share_scope ON payout_returned_share FOR ALL
  USING ((SELECT app.sees_all()));
