-- Also what row-level security reads: sums over shares that are due then never read the rows themselves.
CREATE INDEX CONCURRENTLY payable_due ON payable (community_id, recipient_type) INCLUDE (provider_id, amount_units)
  WHERE payout_id IS NULL AND settled_at IS NULL;
