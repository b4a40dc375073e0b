-- The distributions of a run.
CREATE INDEX CONCURRENTLY distribution_by_run ON distribution (run_id) WHERE run_id IS NOT NULL;
