-- Written by `npm run generate` from a migrated database. Do not edit.

-- Distributions of several communities, ordered as one and decided as one; afterwards each goes on alone. Never
-- changed.
CREATE TABLE payout_run (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  -- Of its distributions, which have its state.
  communities integer NOT NULL,
  amount_units numeric(38,0) NOT NULL,
  -- SHA-256 over communities, addresses, roles and amounts: what its author saw, and what its approver has to have
  -- seen.
  seen text NOT NULL,
  -- The smallest payout then.
  minimum_units numeric(38,0) NOT NULL,
  -- Payable then and below the smallest payout: it stayed pending.
  carried_units numeric(38,0) NOT NULL,
  requested_by_id text NOT NULL,
  requested_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT payout_run_amount_units_check CHECK (amount_units > 0::numeric),
  CONSTRAINT payout_run_carried_units_check CHECK (carried_units >= 0::numeric),
  CONSTRAINT payout_run_communities_check CHECK (communities > 0),
  CONSTRAINT payout_run_minimum_units_check CHECK (minimum_units >= 0::numeric),
  CONSTRAINT payout_run_pkey PRIMARY KEY (id),
  CONSTRAINT payout_run_seen_check CHECK (seen ~ '^[0-9a-f]{64}$')
);

CREATE INDEX payout_run_newest ON payout_run (created_at DESC, id DESC);

ALTER TABLE payout_run ENABLE ROW LEVEL SECURITY;
ALTER TABLE payout_run FORCE ROW LEVEL SECURITY;
CREATE POLICY payout_run_scope ON payout_run FOR ALL
  USING ((SELECT app.sees_all()));
