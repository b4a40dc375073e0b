-- What is owed to a provider, or to the platform, without every share that it ever had.
CREATE INDEX CONCURRENTLY payable_owed_to ON payable (recipient_type, provider_id) INCLUDE (amount_units)
  WHERE payout_id IS NULL AND settled_at IS NULL;
