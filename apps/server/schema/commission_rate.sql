-- Written by `npm run generate` from a migrated database. Do not edit.

-- Rates of communities and minimum rates of providers, each from the time of its change. Kept by triggers.
CREATE TABLE commission_rate (
  community_id uuid,
  provider_id uuid,
  rate numeric(5,4) NOT NULL,
  in_force_from timestamptz NOT NULL,
  CONSTRAINT commission_rate_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id) ON DELETE CASCADE,
  CONSTRAINT commission_rate_of_one CHECK (num_nonnulls(community_id, provider_id) = 1),
  CONSTRAINT commission_rate_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id) ON DELETE CASCADE
);

CREATE UNIQUE INDEX commission_rate_of_community ON commission_rate (community_id, in_force_from DESC) INCLUDE (rate)
  WHERE community_id IS NOT NULL;
CREATE UNIQUE INDEX commission_rate_of_provider ON commission_rate (provider_id, in_force_from DESC) INCLUDE (rate)
  WHERE provider_id IS NOT NULL;

ALTER TABLE commission_rate ENABLE ROW LEVEL SECURITY;
ALTER TABLE commission_rate FORCE ROW LEVEL SECURITY;
CREATE POLICY commission_rate_scope ON commission_rate FOR ALL
  USING ((SELECT app.sees_all()));
