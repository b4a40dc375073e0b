-- What waits for a release, for the list of super admins.
CREATE INDEX CONCURRENTLY payout_address_change_waiting ON payout_address_change (changed_at DESC, id)
  WHERE released_at IS NULL;
