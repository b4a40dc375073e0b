-- Written by `npm run generate` from a migrated database. Do not edit.

-- Sums over the shared members of a pool that a set of providers sees, kept by triggers.
CREATE TABLE pool_set_sum (
  set_id integer NOT NULL,
  pooled_account_id uuid NOT NULL,
  capital_units numeric(38,0) NOT NULL,
  pending_units numeric(38,0) NOT NULL,
  member_count integer NOT NULL,
  CONSTRAINT pool_set_sum_pkey PRIMARY KEY (set_id, pooled_account_id),
  CONSTRAINT pool_set_sum_pooled_account_id_fkey FOREIGN KEY (pooled_account_id) REFERENCES pooled_account(id)
    ON DELETE RESTRICT,
  CONSTRAINT pool_set_sum_set_id_fkey FOREIGN KEY (set_id) REFERENCES provider_set(id) ON DELETE CASCADE
);

CREATE INDEX pool_set_sum_by_pool ON pool_set_sum (pooled_account_id);

ALTER TABLE pool_set_sum ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_set_sum FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_set_sum_scope ON pool_set_sum FOR ALL
  USING ((SELECT app.sees_all()) OR set_id = ((SELECT app.provider_set())));
