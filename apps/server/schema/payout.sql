-- Written by `npm run generate` from a migrated database. Do not edit.

-- One payment to one recipient: the payables of a distribution, or an imported payout. A payout is never deleted.
CREATE TABLE payout (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  community_id uuid NOT NULL,
  status text NOT NULL DEFAULT 'pending',
  version integer NOT NULL DEFAULT 1,
  recipient_type text NOT NULL,
  recipient_address text NOT NULL,
  amount_units numeric(38,0) NOT NULL,
  consolidate_transaction_hash text,
  distribute_transaction_hash text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- The recipient address for search. Under row-level security an index answers only for leakproof functions, and
  -- lower() is not leakproof: the value is stored in the form in which it is searched, and compared as bytes.
  recipient_search text COLLATE "C" GENERATED ALWAYS AS (lower(recipient_address)) STORED,
  distribution_id uuid,
  -- Why it failed, or waits: a code.
  problem text,
  -- When the payout was last ordered, retries included. NULL for imported payouts. The approval limit adds up the
  -- orders of a community and of a person within 24 hours, so an order split into small ones, or retried a day
  -- later, still meets it.
  ordered_at timestamptz,
  ordered_by_id text,
  -- Who approved that it is paid again, beyond what its orderer may order alone. NULL: nobody had to.
  approved_by_id text,
  -- The payout that has its shares now, if it was ordered again. NULL: it was not, or before this was recorded.
  replaced_by_id uuid,
  CONSTRAINT payout_amount_units_check CHECK (amount_units > 0::numeric),
  CONSTRAINT payout_check CHECK (status <> 'distributed' OR distribute_transaction_hash IS NOT NULL),
  CONSTRAINT payout_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id),
  CONSTRAINT payout_consolidate_transaction_hash_check CHECK (consolidate_transaction_hash ~ '^0x[0-9a-f]{64}$'),
  CONSTRAINT payout_distribute_transaction_hash_check CHECK (distribute_transaction_hash ~ '^0x[0-9a-f]{64}$'),
  CONSTRAINT payout_distribution_id_fkey FOREIGN KEY (distribution_id) REFERENCES distribution(id) ON DELETE RESTRICT,
  CONSTRAINT payout_ordered
    CHECK ((distribution_id IS NULL) = (ordered_at IS NULL) AND (distribution_id IS NULL) = (ordered_by_id IS NULL)),
  CONSTRAINT payout_pkey PRIMARY KEY (id),
  CONSTRAINT payout_problem_check CHECK (problem ~ '^[a-z_]+$'),
  CONSTRAINT payout_recipient_address_check CHECK (recipient_address ~ '^0x[0-9a-fA-F]{40}$'),
  CONSTRAINT payout_recipient_type_check
    CHECK (recipient_type = ANY (ARRAY['mark', 'community', 'community_referrer', 'trader_referrer', 'hexmount',
    'sixk', 'tip'])),
  CONSTRAINT payout_replaced_by_id_fkey FOREIGN KEY (replaced_by_id) REFERENCES payout(id),
  CONSTRAINT payout_status_check
    CHECK (status = ANY (ARRAY['pending', 'consolidating', 'consolidated', 'distributing', 'distributed', 'failed']))
);

CREATE INDEX payout_by_community ON payout (community_id, created_at DESC);
CREATE INDEX payout_by_consolidation ON payout (consolidate_transaction_hash COLLATE "C") INCLUDE (id);
CREATE INDEX payout_by_created ON payout (created_at DESC, id);
CREATE INDEX payout_by_distribution ON payout (distribute_transaction_hash COLLATE "C") INCLUDE (id);
CREATE INDEX payout_by_recipient ON payout (recipient_search) INCLUDE (id);
CREATE INDEX payout_of_distribution ON payout (distribution_id) WHERE distribution_id IS NOT NULL;
CREATE INDEX payout_ordered_by ON payout (ordered_by_id, ordered_at) WHERE ordered_at IS NOT NULL;
CREATE INDEX payout_ordered_in ON payout (community_id, ordered_at) WHERE ordered_at IS NOT NULL;
CREATE INDEX payout_paid_to ON payout (recipient_search, updated_at DESC) INCLUDE (id, distribution_id, amount_units)
  WHERE status = 'distributed';
CREATE INDEX payout_unfinished ON payout (status, problem) WHERE status <> 'distributed';

ALTER TABLE payout ENABLE ROW LEVEL SECURITY;
ALTER TABLE payout FORCE ROW LEVEL SECURITY;
CREATE POLICY payout_scope ON payout FOR ALL
  USING ((SELECT app.sees_all()) OR (EXISTS (SELECT FROM payable p
    WHERE p.payout_id = payout.id AND (p.provider_id = ANY (((SELECT app.provider_ids()))::uuid[])))))
  WITH CHECK ((SELECT app.sees_all()));

CREATE TRIGGER no_worker_approves BEFORE INSERT OR UPDATE OF approved_by_id ON payout FOR EACH ROW
  WHEN (new.approved_by_id IS NOT NULL AND app.is_worker()) EXECUTE FUNCTION app.refuse_worker();
CREATE TRIGGER payout_approved BEFORE INSERT OR UPDATE OF approved_by_id, ordered_by_id ON payout FOR EACH ROW
  WHEN (app.is_api() AND new.approved_by_id IS NOT NULL) EXECUTE FUNCTION app.refuse_dependent_retry();
CREATE TRIGGER payouts_added AFTER INSERT ON payout REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION app.payouts_written();
CREATE TRIGGER payouts_changed AFTER UPDATE ON payout REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION app.payouts_written();
