-- How far a pool was below its highest unit price when a result was decided. Attention asks it of every pool each time;
-- from the results themselves it would be all cycles of all pools.
ALTER TABLE harvest_cycle ADD COLUMN drawdown_percentage numeric;
COMMENT ON COLUMN harvest_cycle.drawdown_percentage IS
  'Per cent below the highest unit price with the result of this cycle: zero or less. NULL: the cycle has no result, or was valued by a version that did not note it.';
