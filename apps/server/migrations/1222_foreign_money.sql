-- What the exchange's log of a pool lists besides trading is nobody's result, and what is owed there is never netted. The
-- constraints are validated by 1224 to 1226, without a lock that others wait for.
ALTER TABLE pool_evidence
  ADD COLUMN foreign_types jsonb,
  ADD COLUMN log_read_until timestamptz,
  ADD COLUMN owed_units numeric(38,0) NOT NULL DEFAULT 0,
  ADD COLUMN owed_coins_units numeric(38,0) NOT NULL DEFAULT 0,
  ADD COLUMN left_units numeric(38,0) NOT NULL DEFAULT 0,
  ADD CONSTRAINT pool_evidence_foreign_types_check CHECK (jsonb_typeof(foreign_types) = 'object') NOT VALID,
  ADD CONSTRAINT pool_evidence_owed_check CHECK (owed_units >= 0 AND owed_coins_units >= 0 AND left_units >= 0)
    NOT VALID;
COMMENT ON COLUMN pool_evidence.logged_result_units IS
  'The result of trading by the exchange''s own log; NULL: not read.';
COMMENT ON COLUMN pool_evidence.foreign_types IS
  'Sums of the log by types that are not trading, base units as text. NULL: not read, or before this was recorded.';
COMMENT ON COLUMN pool_evidence.log_read_until IS
  'Until when the log was read: the next cycle reads on from here. NULL: not read, or before this was recorded.';
COMMENT ON COLUMN pool_evidence.other_coins_units IS
  'The value of other coins, in base units of USDT. Before owed_coins_units was recorded: less those that are owed.';
COMMENT ON COLUMN pool_evidence.left_units IS
  'What left since the pause by neither trading nor withdrawing, as a repaid loan.';
COMMENT ON COLUMN pool_evidence.owed_units IS 'USDT that is owed to the exchange.';
COMMENT ON COLUMN pool_evidence.owed_coins_units IS 'The value of other coins that are owed to the exchange.';

ALTER TABLE harvest_cycle
  ADD COLUMN valued_foreign_units numeric(38,0),
  ADD CONSTRAINT harvest_cycle_foreign CHECK (
    valued_foreign_units >= 0 AND (valued_foreign_units IS NULL OR valued_foreign_units <= valued_returned_units)) NOT VALID;
COMMENT ON COLUMN harvest_cycle.valued_foreign_units IS
  'The part of what returned that is not the pool''s, which the valuation made unexplained. NULL: none.';

ALTER TABLE pool_arrival
  ADD COLUMN foreign_units numeric(38,0) NOT NULL DEFAULT 0,
  ADD CONSTRAINT pool_arrival_foreign CHECK (foreign_units >= 0 AND foreign_units <= amount_units) NOT VALID;
COMMENT ON COLUMN pool_arrival.foreign_units IS
  'The part that came from the exchange and was not the pool''s own: two people decide about it.';

-- A move that the exchange ended as failed is followed by another one.
ALTER TABLE harvest_funding ADD COLUMN failed_move_ids uuid[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN harvest_funding.failed_move_ids IS
  'Ids of moves that the exchange lists as failed. The present id replaced the last of them before it was used.';
GRANT UPDATE (foreign_units) ON pool_arrival TO copydesk_worker;
