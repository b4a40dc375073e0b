-- Written by `npm run generate` from a migrated database. Do not edit.

-- Sums over the members of a pool, kept by a trigger.
CREATE TABLE pool_sum (
  pooled_account_id uuid NOT NULL,
  capital_units numeric(38,0) NOT NULL DEFAULT 0,
  pending_units numeric(38,0) NOT NULL DEFAULT 0,
  -- Members with a virtual balance or a pending deposit.
  member_count integer NOT NULL DEFAULT 0,
  pending_count integer NOT NULL DEFAULT 0,
  CONSTRAINT pool_sum_pkey PRIMARY KEY (pooled_account_id),
  CONSTRAINT pool_sum_pooled_account_id_fkey FOREIGN KEY (pooled_account_id) REFERENCES pooled_account(id)
    ON DELETE RESTRICT
);

ALTER TABLE pool_sum ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_sum FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_sum_scope ON pool_sum FOR ALL
  USING ((SELECT app.sees_all()));
