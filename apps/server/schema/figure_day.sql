-- Written by `npm run generate` from a migrated database. Do not edit.

-- Figures of the overview at the last time of a day (UTC) that they were noted. Every provider has a row of each day
-- on which any was.
CREATE TABLE figure_day (
  name text NOT NULL,
  day date NOT NULL,
  -- Whose part it is. NULL: what is no provider's, for super admins.
  provider_id uuid,
  -- 10^-18 USDT. NULL: the figure has no amounts.
  amount_units numeric(38,0),
  n integer NOT NULL,
  CONSTRAINT figure_day_n_check CHECK (n >= 0),
  CONSTRAINT figure_day_name_check CHECK (name ~ '^[a-z_]{1,40}$'),
  CONSTRAINT figure_day_once UNIQUE NULLS NOT DISTINCT (name, day, provider_id),
  CONSTRAINT figure_day_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
);

CREATE INDEX figure_day_by_day ON figure_day (day);
CREATE INDEX figure_day_by_provider ON figure_day (provider_id) WHERE provider_id IS NOT NULL;

ALTER TABLE figure_day ENABLE ROW LEVEL SECURITY;
ALTER TABLE figure_day FORCE ROW LEVEL SECURITY;
CREATE POLICY figure_day_scope ON figure_day FOR ALL
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[])))
  WITH CHECK ((SELECT app.sees_all()));
