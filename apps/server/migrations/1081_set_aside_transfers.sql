-- Transfers that no fact allowed are counted for an alarm.
CREATE INDEX CONCURRENTLY transfer_set_aside ON transfer (ended_at) WHERE problem = 'not_backed';
