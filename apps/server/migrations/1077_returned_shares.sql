-- Shares that left a payout after it was ordered. An order may become smaller by these only: whatever else it lacks is a
-- difference.
CREATE TABLE payout_returned_share (
  payout_id uuid NOT NULL REFERENCES payout (id) ON DELETE RESTRICT,
  payable_id uuid NOT NULL REFERENCES payable (id) ON DELETE RESTRICT,
  amount_units numeric(38, 0) NOT NULL CHECK (amount_units > 0),
  -- The consolidation that could not move the tokens.
  consolidation_id uuid REFERENCES transfer (id) ON DELETE RESTRICT,
  returned_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (payout_id, payable_id)
);
COMMENT ON TABLE payout_returned_share IS
  'A share that was ordered in a payout and returned to pending, because its deposit address could not be emptied.';
COMMENT ON COLUMN payout_returned_share.consolidation_id IS
  'The consolidation that was stuck; NULL when the share only has the account of its invoice in common with one.';

ALTER TABLE payout_returned_share ENABLE ROW LEVEL SECURITY;
ALTER TABLE payout_returned_share FORCE ROW LEVEL SECURITY;
CREATE POLICY payout_returned_share_scope ON payout_returned_share USING ((SELECT app.sees_all()));
REVOKE UPDATE, DELETE ON payout_returned_share FROM copydesk_app;
