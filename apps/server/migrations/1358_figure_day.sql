-- The figures of the overview, as they were each day: what is owed or waits at a moment cannot be worked out for an
-- earlier one.

CREATE TABLE figure_day (
  name text NOT NULL CHECK (name ~ '^[a-z_]{1,40}$'),
  day date NOT NULL,
  provider_id uuid REFERENCES provider,
  amount_units numeric(38, 0),
  n integer NOT NULL CHECK (n >= 0),
  CONSTRAINT figure_day_once UNIQUE NULLS NOT DISTINCT (name, day, provider_id)
);
CREATE INDEX figure_day_by_provider ON figure_day (provider_id) WHERE provider_id IS NOT NULL;
CREATE INDEX figure_day_by_day ON figure_day (day);
COMMENT ON TABLE figure_day IS
  'Figures of the overview at the last time of a day (UTC) that they were noted. Every provider has a row of each day on which any was.';
COMMENT ON COLUMN figure_day.provider_id IS 'Whose part it is. NULL: what is no provider''s, for super admins.';
COMMENT ON COLUMN figure_day.amount_units IS '10^-18 USDT. NULL: the figure has no amounts.';

ALTER TABLE figure_day ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY figure_day_scope ON figure_day USING (
  (SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[])
) WITH CHECK ((SELECT app.sees_all()));
