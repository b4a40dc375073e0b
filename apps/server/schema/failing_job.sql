-- Written by `npm run generate` from a migrated database. Do not edit.

-- Recurring jobs whose last run failed. The row goes with the next run that succeeds; the log has the reasons.
CREATE TABLE failing_job (
  name text NOT NULL,
  -- When the first of them failed.
  since timestamptz NOT NULL DEFAULT now(),
  -- Runs that failed one after the other, attempts of the queue included.
  runs integer NOT NULL DEFAULT 1,
  CONSTRAINT failing_job_name_check CHECK (name ~ '^[a-z-]{1,60}$'),
  CONSTRAINT failing_job_pkey PRIMARY KEY (name),
  CONSTRAINT failing_job_runs_check CHECK (runs > 0)
);

ALTER TABLE failing_job ENABLE ROW LEVEL SECURITY;
ALTER TABLE failing_job FORCE ROW LEVEL SECURITY;
CREATE POLICY failing_job_scope ON failing_job FOR ALL
  USING ((SELECT app.sees_all()))
  WITH CHECK ((SELECT app.sees_all()));
