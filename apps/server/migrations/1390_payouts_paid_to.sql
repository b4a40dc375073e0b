-- The last payouts that have arrived at an address, for whoever orders or approves the next one.
CREATE INDEX CONCURRENTLY payout_paid_to ON payout (recipient_search, updated_at DESC)
  INCLUDE (id, distribution_id, amount_units) WHERE status = 'distributed';
