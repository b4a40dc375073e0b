-- Written by `npm run generate` from a migrated database. Do not edit.

-- Closed positions of a pool's exchange account.
CREATE TABLE pool_position (
  pooled_account_id uuid NOT NULL,
  venue_id text NOT NULL,
  -- The cycle in which it was read: it explains that cycle's result.
  cycle_id uuid NOT NULL,
  symbol text NOT NULL,
  side text NOT NULL,
  size numeric,
  entry_price numeric,
  exit_price numeric,
  -- USD, net of fees where the exchange says so; NULL: unknown.
  result numeric,
  closed_at timestamptz NOT NULL,
  CONSTRAINT pool_position_cycle_id_fkey FOREIGN KEY (cycle_id) REFERENCES harvest_cycle(id) ON DELETE RESTRICT,
  CONSTRAINT pool_position_pkey PRIMARY KEY (pooled_account_id, venue_id),
  CONSTRAINT pool_position_pooled_account_id_fkey FOREIGN KEY (pooled_account_id) REFERENCES pooled_account(id)
    ON DELETE RESTRICT,
  CONSTRAINT pool_position_side_check CHECK (side = ANY (ARRAY['long', 'short']))
);

CREATE INDEX pool_position_by_cycle ON pool_position (cycle_id);
CREATE INDEX pool_position_by_time ON pool_position (pooled_account_id, closed_at DESC);

ALTER TABLE pool_position ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_position FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_position_scope ON pool_position FOR ALL
  USING ((SELECT app.sees_all()));
