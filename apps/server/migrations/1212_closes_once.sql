-- One close, one position, over all accounts that ever held the exchange account.
CREATE UNIQUE INDEX CONCURRENTLY closed_position_once ON closed_position (venue, venue_account, venue_id)
  WHERE double_of IS NULL;
