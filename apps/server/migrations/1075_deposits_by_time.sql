-- For the addresses that deposits of the last 30 days went to.
CREATE INDEX CONCURRENTLY deposit_by_time ON deposit (created_at);
