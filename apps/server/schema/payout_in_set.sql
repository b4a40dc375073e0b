-- Written by `npm run generate` from a migrated database. Do not edit.

-- Sums of a shared payout over the providers of a set.
CREATE TABLE payout_in_set (
  set_id integer NOT NULL,
  payout_id uuid NOT NULL,
  community_id uuid NOT NULL,
  recipient_type text NOT NULL,
  status text NOT NULL,
  amount_units numeric(38,0) NOT NULL,
  created_at timestamptz NOT NULL,
  -- See trader.aum_rank.
  amount_rank double precision NOT NULL GENERATED ALWAYS AS (amount_units::double precision) STORED,
  CONSTRAINT payout_in_set_payout_id_fkey FOREIGN KEY (payout_id) REFERENCES payout(id) ON DELETE RESTRICT,
  CONSTRAINT payout_in_set_pkey PRIMARY KEY (set_id, payout_id),
  CONSTRAINT payout_in_set_set_id_fkey FOREIGN KEY (set_id) REFERENCES provider_set(id) ON DELETE CASCADE
);

CREATE INDEX payout_in_set_by_amount ON payout_in_set (set_id, amount_rank, amount_units, payout_id);
CREATE INDEX payout_in_set_by_community ON payout_in_set (set_id, community_id, created_at, payout_id);
CREATE INDEX payout_in_set_by_created ON payout_in_set (set_id, created_at, payout_id);
CREATE INDEX payout_in_set_by_payout ON payout_in_set (payout_id);
CREATE INDEX payout_in_set_by_status ON payout_in_set (set_id, status, created_at, payout_id);
CREATE INDEX payout_in_set_by_type ON payout_in_set (set_id, recipient_type, created_at, payout_id);

ALTER TABLE payout_in_set ENABLE ROW LEVEL SECURITY;
ALTER TABLE payout_in_set FORCE ROW LEVEL SECURITY;
CREATE POLICY payout_in_set_scope ON payout_in_set FOR ALL
  USING ((SELECT app.sees_all()) OR set_id = ((SELECT app.provider_set())));
