-- The bounds of the workers' environment, for the API to compare settings with.
CREATE TABLE worker_bounds (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  bounds jsonb NOT NULL CHECK (jsonb_typeof(bounds) = 'object'),
  published_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE worker_bounds IS
  'The bounds that the worker with the seed that started last holds itself to, by the name of the setting; all workers have the same. No row: none has started yet.';
COMMENT ON COLUMN worker_bounds.bounds IS 'NULL in it: that worker has no such bound, as in the demo world.';

ALTER TABLE worker_bounds ENABLE ROW LEVEL SECURITY;
ALTER TABLE worker_bounds FORCE ROW LEVEL SECURITY;
CREATE POLICY worker_bounds_scope ON worker_bounds USING ((SELECT app.sees_all()));
-- Whoever has the API must not be able to say that the bounds are wider.
REVOKE INSERT, UPDATE, DELETE ON worker_bounds FROM copydesk_app;
GRANT INSERT, UPDATE ON worker_bounds TO copydesk_worker;
