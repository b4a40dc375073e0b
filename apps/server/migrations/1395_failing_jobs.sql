-- Recurring jobs that fail: until now only the log and the metrics of each worker knew.

CREATE TABLE failing_job (
  name text PRIMARY KEY CHECK (name ~ '^[a-z-]{1,60}$'),
  since timestamptz NOT NULL DEFAULT now(),
  runs integer NOT NULL DEFAULT 1 CHECK (runs > 0)
);
COMMENT ON TABLE failing_job IS
  'Recurring jobs whose last run failed. The row goes with the next run that succeeds; the log has the reasons.';
COMMENT ON COLUMN failing_job.since IS 'When the first of them failed.';
COMMENT ON COLUMN failing_job.runs IS 'Runs that failed one after the other, attempts of the queue included.';
ALTER TABLE failing_job ENABLE ROW LEVEL SECURITY;
ALTER TABLE failing_job FORCE ROW LEVEL SECURITY;
CREATE POLICY failing_job_scope ON failing_job FOR ALL USING ((SELECT app.sees_all()))
  WITH CHECK ((SELECT app.sees_all()));
REVOKE ALL ON failing_job FROM copydesk_app;
GRANT SELECT ON failing_job TO copydesk_app;
GRANT INSERT, UPDATE, DELETE ON failing_job TO copydesk_worker;
