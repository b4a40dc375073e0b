-- Written by `npm run generate` from a migrated database. Do not edit.

CREATE TABLE harvest_run_item (
  run_id uuid NOT NULL,
  pooled_account_id uuid NOT NULL,
  cycle_id uuid NOT NULL,
  -- awaiting: the owner has to withdraw, which holds the pool no longer.
  state text NOT NULL DEFAULT 'moving',
  reason text,
  CONSTRAINT harvest_run_item_cycle_id_fkey FOREIGN KEY (cycle_id) REFERENCES harvest_cycle(id) ON DELETE RESTRICT,
  CONSTRAINT harvest_run_item_pkey PRIMARY KEY (run_id, pooled_account_id),
  CONSTRAINT harvest_run_item_pooled_account_id_fkey FOREIGN KEY (pooled_account_id) REFERENCES pooled_account(id)
    ON DELETE RESTRICT,
  CONSTRAINT harvest_run_item_run_id_fkey FOREIGN KEY (run_id) REFERENCES harvest_run(id) ON DELETE RESTRICT,
  CONSTRAINT harvest_run_item_state_check CHECK (state = ANY (ARRAY['moving', 'awaiting', 'done', 'failed']))
);

CREATE INDEX harvest_run_item_open ON harvest_run_item (pooled_account_id)
  WHERE state = ANY (ARRAY['moving', 'awaiting']);

ALTER TABLE harvest_run_item ENABLE ROW LEVEL SECURITY;
ALTER TABLE harvest_run_item FORCE ROW LEVEL SECURITY;
CREATE POLICY harvest_run_item_scope ON harvest_run_item FOR ALL
  USING ((SELECT app.sees_all()));
