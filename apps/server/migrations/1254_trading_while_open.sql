-- Trading that goes on while a pool is open is noticed by the regular read of its account.
ALTER TABLE pool_exchange_read ADD COLUMN open_positions integer, ADD COLUMN open_orders integer;
COMMENT ON COLUMN pool_exchange_read.open_positions IS 'At the last read. NULL: they were not read.';
