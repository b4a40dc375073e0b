-- Written by `npm run generate` from a migrated database. Do not edit.

-- The part of a payout that belongs to one provider, or the whole payout. Staff see their own part of a payout that
-- mixes providers, and an index serves each order of these parts. Kept by triggers.
CREATE TABLE payout_provider (
  payout_id uuid NOT NULL,
  -- NULL: the whole payout, visible only to transactions that see everything.
  provider_id uuid,
  -- All providers with a part, in order. Staff with several of them count the payout under the first.
  provider_ids uuid[] NOT NULL,
  community_id uuid NOT NULL,
  recipient_type text NOT NULL,
  -- That of the payout, or replaced: its shares were ordered again.
  status text NOT NULL,
  amount_units numeric(38,0) NOT NULL,
  created_at timestamptz NOT NULL,
  -- Whether other providers have a part of the payout as well. Each index includes it, so that a walk needs no row.
  is_shared boolean NOT NULL GENERATED ALWAYS AS (cardinality(provider_ids) > 1) STORED,
  -- See trader.aum_rank.
  amount_rank double precision NOT NULL GENERATED ALWAYS AS (amount_units::double precision) STORED,
  CONSTRAINT payout_provider_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id),
  CONSTRAINT payout_provider_payout_id_fkey FOREIGN KEY (payout_id) REFERENCES payout(id) ON DELETE RESTRICT,
  CONSTRAINT payout_provider_payout_id_provider_id_amount_units_key
    UNIQUE NULLS NOT DISTINCT (payout_id, provider_id) INCLUDE (amount_units),
  CONSTRAINT payout_provider_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
);

CREATE INDEX payout_provider_by_amount ON payout_provider (provider_id, amount_rank, amount_units, payout_id)
  INCLUDE (community_id, recipient_type, status, created_at, is_shared);
CREATE INDEX payout_provider_by_cell ON payout_provider (community_id, recipient_type, created_at)
  INCLUDE (provider_id);
CREATE INDEX payout_provider_by_community ON payout_provider (provider_id, community_id, created_at, payout_id)
  INCLUDE (recipient_type, status, is_shared);
CREATE INDEX payout_provider_by_created ON payout_provider (provider_id, created_at, payout_id)
  INCLUDE (community_id, recipient_type, status, is_shared);
CREATE INDEX payout_provider_by_status ON payout_provider (provider_id, status, created_at, payout_id)
  INCLUDE (community_id, recipient_type, is_shared);
CREATE INDEX payout_provider_by_type ON payout_provider (provider_id, recipient_type, created_at, payout_id)
  INCLUDE (community_id, status, is_shared);

ALTER TABLE payout_provider ENABLE ROW LEVEL SECURITY;
ALTER TABLE payout_provider FORCE ROW LEVEL SECURITY;
CREATE POLICY payout_provider_scope ON payout_provider FOR ALL
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[])));

CREATE TRIGGER parts_added AFTER INSERT ON payout_provider REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION app.payout_parts_written();
CREATE TRIGGER parts_taken AFTER DELETE ON payout_provider REFERENCING OLD TABLE AS taken FOR EACH STATEMENT
  EXECUTE FUNCTION app.payout_parts_written();
