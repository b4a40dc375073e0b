-- What is to be paid out, added up over all communities from an index alone.
CREATE INDEX CONCURRENTLY payable_to_pay_out ON payable (community_id) INCLUDE (amount_units)
  WHERE payout_id IS NULL AND settled_at IS NULL;
