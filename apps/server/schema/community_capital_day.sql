-- Written by `npm run generate` from a migrated database. Do not edit.

-- Pool capital of a community's traders at the end of a day (UTC), USD, by the providers that see them. Written by
-- app.sum_capital_days.
CREATE TABLE community_capital_day (
  community_id uuid NOT NULL,
  day date NOT NULL,
  -- In order. Empty: traders that no provider sees.
  provider_ids uuid[] NOT NULL,
  capital numeric(28,8) NOT NULL,
  CONSTRAINT community_capital_day_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id)
    ON DELETE CASCADE,
  CONSTRAINT community_capital_day_pkey PRIMARY KEY (community_id, day, provider_ids)
);

ALTER TABLE community_capital_day ENABLE ROW LEVEL SECURITY;
ALTER TABLE community_capital_day FORCE ROW LEVEL SECURITY;
CREATE POLICY community_capital_day_scope ON community_capital_day FOR ALL
  USING ((SELECT app.sees_all()) OR provider_ids && ((SELECT app.provider_ids())))
  WITH CHECK ((SELECT app.sees_all()));
