CREATE INDEX CONCURRENTLY account_reading_open_unread ON account_reading (account_id)
  WHERE unread_until IS NOT NULL AND NOT is_unread_decided;
