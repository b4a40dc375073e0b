-- For the cycles that have ended today, among all that ever did.
CREATE INDEX CONCURRENTLY harvest_cycle_ended ON harvest_cycle (ended_at) WHERE ended_at IS NOT NULL;
