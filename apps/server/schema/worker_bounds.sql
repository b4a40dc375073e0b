-- Written by `npm run generate` from a migrated database. Do not edit.

-- The bounds that the worker with the seed that started last holds itself to, by the name of the setting; all
-- workers have the same. No row: none has started yet.
CREATE TABLE worker_bounds (
  is_only boolean NOT NULL DEFAULT true,
  -- NULL in it: that worker has no such bound, as in the demo world.
  bounds jsonb NOT NULL,
  published_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT worker_bounds_bounds_check CHECK (jsonb_typeof(bounds) = 'object'),
  CONSTRAINT worker_bounds_is_only_check CHECK (is_only),
  CONSTRAINT worker_bounds_pkey PRIMARY KEY (is_only)
);

ALTER TABLE worker_bounds ENABLE ROW LEVEL SECURITY;
ALTER TABLE worker_bounds FORCE ROW LEVEL SECURITY;
CREATE POLICY worker_bounds_scope ON worker_bounds FOR ALL
  USING ((SELECT app.sees_all()));
