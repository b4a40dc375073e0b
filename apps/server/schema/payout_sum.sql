-- Written by `npm run generate` from a migrated database. Do not edit.

-- Sums of the parts by every column with few values, for each day (UTC) and each month. A filter adds up some
-- thousand rows and never the payouts. Kept by triggers.
CREATE TABLE payout_sum (
  grain text NOT NULL,
  -- First day of the period.
  period date NOT NULL,
  provider_id uuid,
  provider_ids uuid[] NOT NULL,
  community_id uuid NOT NULL,
  recipient_type text NOT NULL,
  status text NOT NULL,
  payouts integer NOT NULL,
  amount_units numeric(38,0) NOT NULL,
  first_created timestamptz NOT NULL,
  last_created timestamptz NOT NULL,
  CONSTRAINT payout_sum_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id),
  CONSTRAINT payout_sum_community_id_recipient_type_grain_period_provide_key
    UNIQUE NULLS NOT DISTINCT (community_id, recipient_type, grain, period, provider_id, provider_ids, status),
  CONSTRAINT payout_sum_grain_check CHECK (grain = ANY (ARRAY['day', 'month'])),
  CONSTRAINT payout_sum_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
);

CREATE INDEX payout_sum_by_period ON payout_sum (provider_id, grain, period)
  INCLUDE (provider_ids, community_id, recipient_type, status, payouts, amount_units, first_created, last_created);

ALTER TABLE payout_sum ENABLE ROW LEVEL SECURITY;
ALTER TABLE payout_sum FORCE ROW LEVEL SECURITY;
CREATE POLICY payout_sum_scope ON payout_sum FOR ALL
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[])));
