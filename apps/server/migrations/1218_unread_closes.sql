-- What was never read, for the list of super admins.
CREATE INDEX CONCURRENTLY account_reading_with_unread ON account_reading (unread_until) WHERE unread_until IS NOT NULL;
