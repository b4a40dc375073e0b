-- Written by `npm run generate` from a migrated database. Do not edit.

-- Sums over the members of a pool that a provider sees, kept by triggers. Members that several providers see have a
-- row of their own, because staff of several providers count them once.
CREATE TABLE pool_provider_sum (
  pooled_account_id uuid NOT NULL,
  provider_id uuid NOT NULL,
  is_shared boolean NOT NULL,
  capital_units numeric(38,0) NOT NULL,
  pending_units numeric(38,0) NOT NULL,
  member_count integer NOT NULL,
  CONSTRAINT pool_provider_sum_pkey PRIMARY KEY (pooled_account_id, provider_id, is_shared),
  CONSTRAINT pool_provider_sum_pooled_account_id_fkey FOREIGN KEY (pooled_account_id) REFERENCES pooled_account(id)
    ON DELETE RESTRICT,
  CONSTRAINT pool_provider_sum_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
);

CREATE INDEX pool_provider_sum_by_provider ON pool_provider_sum (provider_id);

ALTER TABLE pool_provider_sum ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_provider_sum FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_provider_sum_scope ON pool_provider_sum FOR ALL
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[])));
