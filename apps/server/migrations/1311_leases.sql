-- Every table whose rows are work has the same two columns: the end of a lease by the database's clock, and a number that
-- fences off a worker whose lease another one has taken over.
ALTER TABLE mail ADD COLUMN leased_until timestamptz, ADD COLUMN lease_number bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN mail.due_at IS 'The next attempt. It moves with a lease, so that what is being sent is not searched.';
COMMENT ON COLUMN mail.leased_until IS 'Until then one process sends it.';
COMMENT ON COLUMN mail.lease_number IS 'Fences off late writes of a process that lost its lease.';
GRANT UPDATE (leased_until, lease_number) ON mail TO copydesk_app;

ALTER TABLE harvest_cycle ADD COLUMN leased_until timestamptz, ADD COLUMN lease_number bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN harvest_cycle.leased_until IS 'Until then one worker attends to the cycle.';
COMMENT ON COLUMN harvest_cycle.lease_number IS 'Fences off a worker that lost its lease.';
