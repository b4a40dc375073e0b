-- Written by `npm run generate` from a migrated database. Do not edit.

-- A start or stop of all pools together. It only observes: its pools go on alone.
CREATE TABLE harvest_run (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  action text NOT NULL,
  goal text NOT NULL,
  requested_by_id text NOT NULL,
  requested_by text NOT NULL,
  retries_id uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT harvest_run_action_check CHECK (action = ANY (ARRAY['start', 'stop', 'retry'])),
  CONSTRAINT harvest_run_goal_check CHECK (goal = ANY (ARRAY['start', 'stop'])),
  CONSTRAINT harvest_run_pkey PRIMARY KEY (id),
  CONSTRAINT harvest_run_retries_id_fkey FOREIGN KEY (retries_id) REFERENCES harvest_run(id)
);

ALTER TABLE harvest_run ENABLE ROW LEVEL SECURITY;
ALTER TABLE harvest_run FORCE ROW LEVEL SECURITY;
CREATE POLICY harvest_run_scope ON harvest_run FOR ALL
  USING ((SELECT app.sees_all()));
