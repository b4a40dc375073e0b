-- Distributions and payouts, the addresses they go to, and who may change those.

CREATE TABLE payout_address_change (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  owner_kind text NOT NULL
    CHECK (owner_kind IN ('provider', 'community', 'community_referrer', 'trader', 'platform', 'trader_referrer')),
  owner_id text NOT NULL,
  address text,
  previous_address text,
  changed_at timestamptz NOT NULL DEFAULT now(),
  changed_by_id text NOT NULL,
  released_at timestamptz,
  released_by_id text,
  released_by text,
  -- Only the latest change of an address counts; the audit has the earlier ones.
  CONSTRAINT payout_address_change_owner_kind_owner_id_key UNIQUE (owner_kind, owner_id),
  CONSTRAINT payout_address_change_check
    CHECK ((released_at IS NULL) = (released_by_id IS NULL) AND (released_at IS NULL) = (released_by IS NULL)),
  CONSTRAINT payout_address_change_check1 CHECK (released_by_id <> changed_by_id)
);
COMMENT ON TABLE payout_address_change IS
  'The latest change of each payout address: the address book. An address is paid to once another super admin has released it and its waiting time has passed, so that neither a hijacked account nor one person alone can point payouts elsewhere. Addresses that the owner of the database sets (imports, manual set-up) are in the book.';
COMMENT ON COLUMN payout_address_change.owner_id IS
  'A uuid; for the platform, the recipient type; for a trader_referrer, the trader who was referred.';
COMMENT ON COLUMN payout_address_change.address IS 'For a trader_referrer, the id of the trader who referred it.';
COMMENT ON COLUMN payout_address_change.released_at IS 'When another person put the address into the book.';
-- What waits for a release, for the list of super admins.
CREATE INDEX payout_address_change_waiting ON payout_address_change (changed_at DESC, id)
  WHERE released_at IS NULL;
-- Workers look for traders whose address was changed lately, whatever is in the book.
CREATE INDEX payout_address_change_lately ON payout_address_change (changed_at) WHERE owner_kind = 'trader';

ALTER TABLE payout_address_change ENABLE ROW LEVEL SECURITY;
ALTER TABLE payout_address_change FORCE ROW LEVEL SECURITY;
CREATE POLICY payout_address_change_scope ON payout_address_change USING ((SELECT app.sees_all()));

-- A hold ends early by another person, now.
CREATE FUNCTION app.refuse_dependent_release() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  IF app.is_independent(NEW.released_by_id, coalesce((SELECT s.owner_id::text FROM identity.service_token s
      WHERE s.id::text = OLD.changed_by_id), OLD.changed_by_id)) IS NOT TRUE THEN
    RAISE EXCEPTION 'a changed address is released by an independent, confirmed super admin'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  NEW.released_at := now();
  RETURN NEW;
END
$$;

CREATE TRIGGER address_released BEFORE UPDATE OF released_at, released_by_id, released_by ON payout_address_change
  FOR EACH ROW WHEN (NEW.released_at IS NOT NULL AND app.is_api())
  EXECUTE FUNCTION app.refuse_dependent_release();
-- A worker reads what was entered at once.
CREATE TRIGGER address_entered AFTER INSERT OR UPDATE OF address ON payout_address_change
  FOR EACH STATEMENT EXECUTE FUNCTION app.announce_work();

-- A contract of tokens is nobody's wallet.
CREATE FUNCTION app.refuse_token_contract() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM address_reading r WHERE r.address = lower(NEW.address) AND r.is_token) THEN
    RAISE EXCEPTION 'a contract of tokens is not paid' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER address_released_is_no_token BEFORE UPDATE OF released_at, released_by_id, released_by
  ON payout_address_change FOR EACH ROW WHEN (NEW.released_at IS NOT NULL AND app.is_api())
  EXECUTE FUNCTION app.refuse_token_contract();

-- No program releases in the name of an owner who has not said so; people may do so besides, as before.
CREATE FUNCTION app.refuse_release_without_word() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM payout_address_word w
      WHERE w.change_id = NEW.id AND w.kind = 'confirmed' AND w.address = NEW.address) THEN
    RAISE EXCEPTION 'an address is released by its owner with a word of its owner'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER address_released_by_owner BEFORE UPDATE OF released_at, released_by_id, released_by
  ON payout_address_change FOR EACH ROW WHEN (NEW.released_by_id = 'owner' AND app.is_application())
  EXECUTE FUNCTION app.refuse_release_without_word();
CREATE TRIGGER no_worker_releases BEFORE INSERT OR UPDATE OF released_at, released_by_id ON payout_address_change
  FOR EACH ROW WHEN (NEW.released_at IS NOT NULL AND NEW.released_by_id <> 'owner' AND app.is_worker())
  EXECUTE FUNCTION app.refuse_worker();

REVOKE INSERT, UPDATE, DELETE ON payout_address_change FROM copydesk_app;
GRANT UPDATE (released_at, released_by_id, released_by) ON payout_address_change TO copydesk_app;

CREATE TABLE distribution (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  community_id uuid NOT NULL REFERENCES community ON DELETE RESTRICT,
  state text NOT NULL CHECK (state IN ('awaiting_approval', 'approved', 'declined')),
  amount_units numeric(38,0) NOT NULL CHECK (amount_units > 0),
  requested_by_id text NOT NULL,
  requested_by text NOT NULL,
  decided_by_id text,
  decided_by text,
  decided_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  is_above_maximum boolean NOT NULL DEFAULT false,
  first_approved_by_id text,
  first_approved_by text,
  first_approved_at timestamptz,
  run_id uuid,
  CONSTRAINT distribution_check CHECK (decided_by_id <> requested_by_id OR state = 'declined'),
  CONSTRAINT distribution_check1
    CHECK ((decided_by_id IS NULL) = (decided_at IS NULL) AND (decided_by_id IS NULL) = (decided_by IS NULL)),
  -- "Allow once": a payout above the largest amount is ordered with two further super admins, where there are two.
  CONSTRAINT distribution_first_approval
    CHECK ((first_approved_by_id IS NULL) = (first_approved_by IS NULL)
    AND (first_approved_by_id IS NULL) = (first_approved_at IS NULL) AND (first_approved_by_id IS NULL
    OR is_above_maximum))
);
COMMENT ON TABLE distribution IS 'A decision to pay out what a community owes, with one payout for each recipient.';
COMMENT ON COLUMN distribution.decided_by_id IS
  'The person who approved or declined it. Only a decline may come from the person who requested it. NULL: not '
  'decided yet, or no approval was needed.';
COMMENT ON COLUMN distribution.is_above_maximum IS
  'A payout of it is above the largest one: it takes two further super admins, and the workers let it pass once.';
COMMENT ON COLUMN distribution.first_approved_by_id IS
  'The first of the two; the second decides it. NULL: nobody yet, or it takes one at most.';
COMMENT ON COLUMN distribution.run_id IS 'Ordered and decided together with the others of this run. NULL: alone.';
CREATE INDEX distribution_by_community ON distribution (community_id, created_at DESC, id);
CREATE INDEX distribution_awaiting ON distribution (created_at) WHERE state = 'awaiting_approval';
-- The distributions of a run.
CREATE INDEX distribution_by_run ON distribution (run_id) WHERE run_id IS NOT NULL;

ALTER TABLE distribution ENABLE ROW LEVEL SECURITY;
ALTER TABLE distribution FORCE ROW LEVEL SECURITY;
CREATE POLICY distribution_scope ON distribution USING ((SELECT app.sees_all()));

-- Who stands behind a distribution are different people, none of whom another one made. On the worker's machine an
-- operator takes the place of who is missing.
CREATE FUNCTION app.refuse_distribution_approval() RETURNS trigger
  LANGUAGE plpgsql
AS $$
DECLARE
  is_operator boolean := app.is_operator() AND NEW.decided_by_id = 'operator';
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.is_above_maximum <> NEW.is_above_maximum OR OLD.first_approved_by_id IS NOT NULL
      AND OLD.first_approved_by_id IS DISTINCT FROM NEW.first_approved_by_id) THEN
    RAISE EXCEPTION 'what a distribution takes does not change' USING ERRCODE = 'integrity_constraint_violation';
  ELSIF NEW.first_approved_by_id IS NOT NULL
      AND app.is_independent(NEW.first_approved_by_id, NEW.requested_by_id) IS NOT TRUE
    OR NEW.state = 'approved' AND NOT is_operator AND (
      (NEW.is_above_maximum OR TG_OP = 'UPDATE' OR NEW.decided_by_id IS NOT NULL)
        AND app.is_independent(NEW.decided_by_id, NEW.requested_by_id) IS NOT TRUE
      OR NEW.is_above_maximum AND app.is_independent(NEW.decided_by_id, NEW.first_approved_by_id) IS NOT TRUE) THEN
    RAISE EXCEPTION 'a distribution is approved by an independent, confirmed super admin'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER distribution_approved
  BEFORE UPDATE OF state, decided_by_id, first_approved_by_id, is_above_maximum ON distribution FOR EACH ROW
  EXECUTE FUNCTION app.refuse_distribution_approval();
-- One person orders what is below the limit, so nobody has decided it.
CREATE TRIGGER distribution_inserted BEFORE INSERT ON distribution FOR EACH ROW
  EXECUTE FUNCTION app.refuse_distribution_approval();
-- What two people decide, or one person and an operator.
CREATE TRIGGER no_worker_approves BEFORE INSERT OR UPDATE OF state, decided_by_id, first_approved_by_id ON distribution
  FOR EACH ROW WHEN ((NEW.state = 'approved' OR NEW.first_approved_by_id IS NOT NULL) AND app.is_worker())
  EXECUTE FUNCTION app.refuse_worker();

-- A run is decided as a whole, and is what was ordered: at the end of each transaction that touches it.
CREATE FUNCTION app.check_payout_run() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM payout_run r JOIN distribution d ON d.run_id = r.id WHERE r.id = NEW.run_id
    GROUP BY r.id HAVING count(*) = r.communities AND count(DISTINCT d.community_id) = r.communities
      AND sum(d.amount_units) = r.amount_units AND min(d.state) = max(d.state)
      AND count(DISTINCT d.decided_by_id) <= 1 AND bool_and(d.requested_by_id = r.requested_by_id)
      AND NOT bool_or(d.is_above_maximum)) THEN
    RAISE EXCEPTION 'the distributions of a run are decided as one, as they were ordered'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER distribution_of_run AFTER INSERT OR UPDATE OF state, amount_units, community_id, decided_by_id,
  requested_by_id ON distribution DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.run_id IS NOT NULL)
  EXECUTE FUNCTION app.check_payout_run();

CREATE FUNCTION app.refuse_other_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a distribution stays in its run' USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER distribution_keeps_run BEFORE UPDATE OF run_id ON distribution FOR EACH ROW
  WHEN (OLD.run_id IS DISTINCT FROM NEW.run_id) EXECUTE FUNCTION app.refuse_other_run();

-- Records about money stay: the application may change their state, and nothing else.
REVOKE UPDATE, DELETE ON distribution FROM copydesk_app;
GRANT UPDATE (state, decided_by_id, decided_by, decided_at, first_approved_by_id, first_approved_by,
  first_approved_at) ON distribution TO copydesk_app;

-- What several communities owe can be ordered and approved as one: a distribution each, decided together.
CREATE TABLE payout_run (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  communities integer NOT NULL CHECK (communities > 0),
  amount_units numeric(38,0) NOT NULL CHECK (amount_units > 0),
  seen text NOT NULL CHECK (seen ~ '^[0-9a-f]{64}$'),
  minimum_units numeric(38,0) NOT NULL CHECK (minimum_units >= 0),
  carried_units numeric(38,0) NOT NULL CHECK (carried_units >= 0),
  requested_by_id text NOT NULL,
  requested_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE payout_run IS
  'Distributions of several communities, ordered as one and decided as one; afterwards each goes on alone. Never changed.';
COMMENT ON COLUMN payout_run.communities IS 'Of its distributions, which have its state.';
COMMENT ON COLUMN payout_run.seen IS
  'SHA-256 over communities, addresses, roles and amounts: what its author saw, and what its approver has to have seen.';
COMMENT ON COLUMN payout_run.minimum_units IS 'The smallest payout then.';
COMMENT ON COLUMN payout_run.carried_units IS 'Payable then and below the smallest payout: it stayed pending.';

ALTER TABLE distribution ADD CONSTRAINT distribution_run_id_fkey FOREIGN KEY (run_id) REFERENCES payout_run(id);

CREATE TABLE payout (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  community_id uuid NOT NULL REFERENCES community,
  status text NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'consolidating', 'consolidated', 'distributing', 'distributed', 'failed')),
  version integer NOT NULL DEFAULT 1,
  recipient_type text NOT NULL
    CHECK (recipient_type IN ('mark', 'community', 'community_referrer', 'trader_referrer', 'hexmount', 'sixk',
    'tip')),
  recipient_address text NOT NULL CHECK (recipient_address ~ '^0x[0-9a-fA-F]{40}$'),
  amount_units numeric(38,0) NOT NULL CHECK (amount_units > 0),
  consolidate_transaction_hash text CHECK (consolidate_transaction_hash ~ '^0x[0-9a-f]{64}$'),
  distribute_transaction_hash text CHECK (distribute_transaction_hash ~ '^0x[0-9a-f]{64}$'),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  recipient_search text COLLATE "C" GENERATED ALWAYS AS (lower(recipient_address)) STORED,
  distribution_id uuid REFERENCES distribution ON DELETE RESTRICT,
  problem text CHECK (problem ~ '^[a-z_]+$'),
  ordered_at timestamptz,
  ordered_by_id text,
  approved_by_id text,
  replaced_by_id uuid REFERENCES payout,
  CONSTRAINT payout_check CHECK (status <> 'distributed' OR distribute_transaction_hash IS NOT NULL),
  CONSTRAINT payout_ordered
    CHECK ((distribution_id IS NULL) = (ordered_at IS NULL) AND (distribution_id IS NULL) = (ordered_by_id IS NULL))
);
COMMENT ON TABLE payout IS
  'One payment to one recipient: the payables of a distribution, or an imported payout. A payout is never deleted.';
COMMENT ON COLUMN payout.recipient_search IS
  'The recipient address for search. Under row-level security an index answers only for leakproof functions, and '
  'lower() is not leakproof: the value is stored in the form in which it is searched, and compared as bytes.';
COMMENT ON COLUMN payout.problem IS 'Why it failed, or waits: a code.';
COMMENT ON COLUMN payout.ordered_at IS
  'When the payout was last ordered, retries included. NULL for imported payouts. The approval limit adds up the '
  'orders of a community and of a person within 24 hours, so an order split into small ones, or retried a day '
  'later, still meets it.';
COMMENT ON COLUMN payout.approved_by_id IS
  'Who approved that it is paid again, beyond what its orderer may order alone. NULL: nobody had to.';
COMMENT ON COLUMN payout.replaced_by_id IS
  'The payout that has its shares now, if it was ordered again. NULL: it was not, or before this was recorded.';
CREATE INDEX payout_by_created ON payout (created_at DESC, id);
CREATE INDEX payout_by_community ON payout (community_id, created_at DESC);
CREATE INDEX payout_of_distribution ON payout (distribution_id) WHERE distribution_id IS NOT NULL;
CREATE INDEX payout_ordered_in ON payout (community_id, ordered_at) WHERE ordered_at IS NOT NULL;
CREATE INDEX payout_ordered_by ON payout (ordered_by_id, ordered_at) WHERE ordered_at IS NOT NULL;
-- Counts of a search with many matches read the id of each payout: these indexes include it, so the rows stay unread.
-- Separate indexes of ids would cost a change of a payout the same number of entries, 16 bytes longer each.
CREATE INDEX payout_by_recipient ON payout (recipient_search) INCLUDE (id);
CREATE INDEX payout_by_consolidation ON payout (consolidate_transaction_hash COLLATE "C") INCLUDE (id);
CREATE INDEX payout_by_distribution ON payout (distribute_transaction_hash COLLATE "C") INCLUDE (id);
CREATE INDEX payout_unfinished ON payout (status, problem) WHERE status <> 'distributed';
-- The last payouts that have arrived at an address, for whoever orders or approves the next one.
CREATE INDEX payout_paid_to ON payout (recipient_search, updated_at DESC)
  INCLUDE (id, distribution_id, amount_units) WHERE status = 'distributed';

ALTER TABLE payout ENABLE ROW LEVEL SECURITY;
ALTER TABLE payout FORCE ROW LEVEL SECURITY;
CREATE POLICY payout_scope ON payout
  USING ((SELECT app.sees_all()) OR EXISTS (
    SELECT FROM payable p WHERE p.payout_id = payout.id
      AND p.provider_id = ANY ((SELECT app.provider_ids())::uuid[])))
  WITH CHECK ((SELECT app.sees_all()));

CREATE FUNCTION app.payouts_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  touched uuid[];
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  SELECT array_agg(id) INTO touched FROM added;
  IF touched IS NOT NULL THEN
    PERFORM app.payouts_touched(touched);
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER payouts_added AFTER INSERT ON payout
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.payouts_written();
CREATE TRIGGER payouts_changed AFTER UPDATE ON payout
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.payouts_written();

CREATE FUNCTION app.refuse_dependent_retry() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  IF app.is_independent(NEW.approved_by_id, NEW.ordered_by_id) IS NOT TRUE THEN
    RAISE EXCEPTION 'a payout is approved by an independent, confirmed super admin'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER payout_approved BEFORE INSERT OR UPDATE OF approved_by_id, ordered_by_id ON payout FOR EACH ROW
  WHEN (app.is_api() AND NEW.approved_by_id IS NOT NULL) EXECUTE FUNCTION app.refuse_dependent_retry();
CREATE TRIGGER no_worker_approves BEFORE INSERT OR UPDATE OF approved_by_id ON payout
  FOR EACH ROW WHEN (NEW.approved_by_id IS NOT NULL AND app.is_worker()) EXECUTE FUNCTION app.refuse_worker();

REVOKE UPDATE, DELETE ON payout FROM copydesk_app;
GRANT UPDATE (status, version, consolidate_transaction_hash, distribute_transaction_hash, updated_at, problem,
  ordered_at, ordered_by_id, approved_by_id, replaced_by_id) ON payout TO copydesk_app;
GRANT UPDATE ON payout TO copydesk_worker;

CREATE TABLE payout_provider (
  payout_id uuid NOT NULL REFERENCES payout ON DELETE RESTRICT,
  provider_id uuid REFERENCES provider,
  provider_ids uuid[] NOT NULL,
  community_id uuid NOT NULL REFERENCES community,
  recipient_type text NOT NULL,
  status text NOT NULL,
  amount_units numeric(38, 0) NOT NULL,
  created_at timestamptz NOT NULL,
  is_shared boolean NOT NULL GENERATED ALWAYS AS (cardinality(provider_ids) > 1) STORED,
  amount_rank float8 NOT NULL GENERATED ALWAYS AS (amount_units::float8) STORED,
  UNIQUE NULLS NOT DISTINCT (payout_id, provider_id) INCLUDE (amount_units)
);
COMMENT ON TABLE payout_provider IS
  'The part of a payout that belongs to one provider, or the whole payout. Staff see their own part of a payout '
  'that mixes providers, and an index serves each order of these parts. Kept by triggers.';
COMMENT ON COLUMN payout_provider.provider_id IS
  'NULL: the whole payout, visible only to transactions that see everything.';
COMMENT ON COLUMN payout_provider.provider_ids IS
  'All providers with a part, in order. Staff with several of them count the payout under the first.';
COMMENT ON COLUMN payout_provider.status IS 'That of the payout, or replaced: its shares were ordered again.';
COMMENT ON COLUMN payout_provider.is_shared IS
  'Whether other providers have a part of the payout as well. Each index includes it, so that a walk needs no row.';
COMMENT ON COLUMN payout_provider.amount_rank IS 'See trader.aum_rank.';
-- Finds the parts of a community, type and day. The cost of changing a payout must not grow with the number of payouts.
CREATE INDEX payout_provider_by_cell ON payout_provider (community_id, recipient_type, created_at)
  INCLUDE (provider_id);
-- The provider comes first in each index, because row-level security compares it. The included columns are those that
-- filters read.
CREATE INDEX payout_provider_by_created ON payout_provider (provider_id, created_at, payout_id)
  INCLUDE (community_id, recipient_type, status, is_shared);
CREATE INDEX payout_provider_by_status ON payout_provider (provider_id, status, created_at, payout_id)
  INCLUDE (community_id, recipient_type, is_shared);
CREATE INDEX payout_provider_by_community ON payout_provider (provider_id, community_id, created_at, payout_id)
  INCLUDE (recipient_type, status, is_shared);
CREATE INDEX payout_provider_by_type ON payout_provider (provider_id, recipient_type, created_at, payout_id)
  INCLUDE (community_id, status, is_shared);
CREATE INDEX payout_provider_by_amount ON payout_provider (provider_id, amount_rank, amount_units, payout_id)
  INCLUDE (community_id, recipient_type, status, created_at, is_shared);

ALTER TABLE payout_provider ENABLE ROW LEVEL SECURITY;
ALTER TABLE payout_provider FORCE ROW LEVEL SECURITY;
CREATE POLICY payout_provider_scope ON payout_provider
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]));

CREATE FUNCTION app.payout_parts_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  touched uuid[];
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT payout_id) INTO touched FROM added WHERE is_shared;
  ELSE
    SELECT array_agg(DISTINCT payout_id) INTO touched FROM taken WHERE is_shared;
  END IF;
  IF touched IS NOT NULL THEN
    PERFORM app.refresh_payout_sets(touched, NULL);
  END IF;
  RETURN NULL;
END
$$;

-- app.refresh_payouts deletes parts and inserts them again; it never updates one.
CREATE TRIGGER parts_added AFTER INSERT ON payout_provider
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.payout_parts_written();
CREATE TRIGGER parts_taken AFTER DELETE ON payout_provider
  REFERENCING OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION app.payout_parts_written();

-- Triggers alone write the sums.
REVOKE INSERT, UPDATE, DELETE ON payout_provider FROM copydesk_app;

CREATE TABLE payout_sum (
  grain text NOT NULL CHECK (grain IN ('day', 'month')),
  period date NOT NULL,
  provider_id uuid REFERENCES provider,
  provider_ids uuid[] NOT NULL,
  community_id uuid NOT NULL REFERENCES community,
  recipient_type text NOT NULL,
  status text NOT NULL,
  payouts integer NOT NULL,
  amount_units numeric(38, 0) NOT NULL,
  first_created timestamptz NOT NULL,
  last_created timestamptz NOT NULL,
  UNIQUE NULLS NOT DISTINCT (community_id, recipient_type, grain, period, provider_id, provider_ids, status)
);
COMMENT ON TABLE payout_sum IS
  'Sums of the parts by every column with few values, for each day (UTC) and each month. A filter adds up some '
  'thousand rows and never the payouts. Kept by triggers.';
COMMENT ON COLUMN payout_sum.period IS 'First day of the period.';
CREATE INDEX payout_sum_by_period ON payout_sum (provider_id, grain, period)
  INCLUDE (provider_ids, community_id, recipient_type, status, payouts, amount_units, first_created, last_created);

ALTER TABLE payout_sum ENABLE ROW LEVEL SECURITY;
ALTER TABLE payout_sum FORCE ROW LEVEL SECURITY;
CREATE POLICY payout_sum_scope ON payout_sum
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]));

-- Triggers alone write the sums.
REVOKE INSERT, UPDATE, DELETE ON payout_sum FROM copydesk_app;

-- Shares that left a payout after it was ordered. An order may become smaller by these only: whatever else it lacks is a
-- difference.
CREATE TABLE payout_returned_share (
  payout_id uuid NOT NULL REFERENCES payout ON DELETE RESTRICT,
  payable_id uuid NOT NULL REFERENCES payable ON DELETE RESTRICT,
  amount_units numeric(38,0) NOT NULL CHECK (amount_units > 0),
  -- The consolidation that could not move the tokens.
  consolidation_id uuid,
  returned_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (payout_id, payable_id)
);
COMMENT ON TABLE payout_returned_share IS
  'A share that was ordered in a payout and returned to pending, because its deposit address could not be emptied.';
COMMENT ON COLUMN payout_returned_share.consolidation_id IS
  'The consolidation that was stuck; NULL when the share only has the account of its invoice in common with one.';

ALTER TABLE payout_returned_share ENABLE ROW LEVEL SECURITY;
ALTER TABLE payout_returned_share FORCE ROW LEVEL SECURITY;
CREATE POLICY payout_returned_share_scope ON payout_returned_share USING ((SELECT app.sees_all()));

REVOKE INSERT, UPDATE, DELETE ON payout_returned_share FROM copydesk_app;
GRANT INSERT ON payout_returned_share TO copydesk_worker;

CREATE TABLE payout_address_word (
  change_id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('confirmed', 'not_me')),
  trader_id uuid NOT NULL REFERENCES trader (id),
  address text NOT NULL,
  bot_telegram_id bigint NOT NULL,
  update_id bigint NOT NULL,
  telegram_user_id bigint NOT NULL,
  read_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE payout_address_word IS
  'What the owner of a changed payout address said by Telegram, as a worker read it from the platform''s bot. Only workers write it. The first word to a change is the only one.';
COMMENT ON COLUMN payout_address_word.change_id IS
  'payout_address_change.id, which each change of an address renews: a word is about one address at one time.';
CREATE INDEX payout_address_word_by_trader ON payout_address_word (trader_id);

ALTER TABLE payout_address_word ENABLE ROW LEVEL SECURITY;
ALTER TABLE payout_address_word FORCE ROW LEVEL SECURITY;
CREATE POLICY payout_address_word_scope ON payout_address_word FOR ALL
  USING ((SELECT app.sees_all())) WITH CHECK ((SELECT app.sees_all()));

-- Whoever inserts it: a word is about the present address of an open change, from an id that counts.
CREATE FUNCTION app.refuse_word_of_others() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  NEW.read_at := now();
  PERFORM FROM payout_address_change a JOIN trader t ON t.id = NEW.trader_id
  WHERE a.id = NEW.change_id AND a.owner_kind = 'trader' AND a.owner_id = t.id::text AND a.released_at IS NULL
    AND a.address = NEW.address AND lower(t.external_wallet_address) = lower(a.address)
    AND t.telegram_user_id = NEW.telegram_user_id::text AND app.telegram_counts(t.telegram_user_id, t.telegram_set_at)
    AND EXISTS (SELECT FROM platform_bot_reading r
      WHERE r.telegram_id = NEW.bot_telegram_id AND r.counts_from <= now())
    AND NOT (NEW.kind = 'confirmed' AND EXISTS (SELECT FROM address_reading n
      WHERE n.address = lower(a.address) AND n.is_token))
  FOR NO KEY UPDATE OF a;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'a word is about the present address of an open change, from an id that counts'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER word_read BEFORE INSERT ON payout_address_word FOR EACH ROW
  EXECUTE FUNCTION app.refuse_word_of_others();

-- A confirmation releases the address as another person would; the waiting time goes on.
CREATE FUNCTION app.release_by_word() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE payout_address_change SET released_at = now(), released_by_id = 'owner', released_by = 'its owner by Telegram'
  WHERE id = NEW.change_id;
  RETURN NULL;
END
$$;

CREATE TRIGGER address_confirmed AFTER INSERT ON payout_address_word FOR EACH ROW
  WHEN (NEW.kind = 'confirmed') EXECUTE FUNCTION app.release_by_word();

REVOKE INSERT, UPDATE, DELETE ON payout_address_word FROM copydesk_app;
GRANT INSERT ON payout_address_word TO copydesk_worker;

CREATE INDEX payout_run_newest ON payout_run (created_at DESC, id DESC);

ALTER TABLE payout_run ENABLE ROW LEVEL SECURITY;
ALTER TABLE payout_run FORCE ROW LEVEL SECURITY;
CREATE POLICY payout_run_scope ON payout_run USING ((SELECT app.sees_all()));

REVOKE UPDATE, DELETE ON payout_run FROM copydesk_app;

CREATE FUNCTION app.is_decision(action text) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT action = ANY ('{distribution.approved,distribution.declined,order.approved,order.declined,setting.approved,setting.declined,payout_address.released,trader.referrer_released,pool.connection_approved,pool.arrival_decision_confirmed,harvest.approve_valuation,harvest.resolve,payments.lift_confirmed,payments.lift_refused,user.confirmed}'::text[])
$$;
GRANT EXECUTE ON FUNCTION app.is_decision(text) TO copydesk_app;

-- For the list of what was decided, which is a small part of all entries.
CREATE INDEX audit_entry_of_decisions ON audit_entry (seq DESC) WHERE app.is_decision(action);

ALTER TABLE payable ADD CONSTRAINT payable_payout_id_fkey FOREIGN KEY (payout_id) REFERENCES payout(id)
  ON DELETE RESTRICT;

-- Staff see payouts but not distributions. Everyone who sees a payout may know whether it still needs approval by
-- another super admin, so this function reads past row-level security. It returns ids only. ROWS 1: few distributions
-- wait at any time, and a plan that expects a thousand would read every payable.
CREATE FUNCTION app.distributions_awaiting() RETURNS SETOF uuid
  LANGUAGE plpgsql SECURITY DEFINER ROWS 1
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  RETURN QUERY SELECT id FROM distribution WHERE state = 'awaiting_approval';
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;
GRANT EXECUTE ON FUNCTION app.distributions_awaiting() TO copydesk_app;

-- Recomputes the parts and sums of these payouts: a full sum cannot drift, and a community has few payouts of a kind in
-- a day. Locking the communities first makes concurrent changes of two payouts add up: the later one computes from what
-- the earlier one committed. (NO KEY: each already holds the key of its community through its foreign key.) Each cell
-- of community, type and day is looked up by its index: a join of cells and parts read all parts.
CREATE FUNCTION app.refresh_payouts(payout_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
  cells jsonb;
BEGIN
  PERFORM FROM community WHERE id IN (SELECT community_id FROM payout WHERE id = ANY (payout_ids)
    UNION SELECT community_id FROM payout_provider WHERE payout_id = ANY (payout_ids)) ORDER BY id FOR NO KEY UPDATE;

  -- Where they were counted before and where they are counted from now on.
  SELECT coalesce(jsonb_agg(jsonb_build_object('community_id', c.community_id, 'recipient_type', c.recipient_type,
    'day', c.day)), '[]') INTO cells
  FROM (
    SELECT community_id, recipient_type, app.utc_day(created_at) AS day FROM payout_provider
    WHERE payout_id = ANY (payout_ids)
    UNION SELECT community_id, recipient_type, app.utc_day(created_at) FROM payout
    WHERE id = ANY (payout_ids)) c;

  DELETE FROM payout_provider WHERE payout_id = ANY (payout_ids);
  INSERT INTO payout_provider (payout_id, provider_id, provider_ids, community_id, recipient_type, status, amount_units,
    created_at)
  SELECT o.id, part.provider_id, CASE WHEN part.provider_id IS NULL THEN '{}' ELSE part.provider_ids END,
    o.community_id, o.recipient_type, CASE WHEN o.problem = 'sent_again' THEN 'replaced' ELSE o.status END,
    part.units, o.created_at
  FROM payout o
  CROSS JOIN LATERAL (
    SELECT NULL::uuid AS provider_id, NULL::uuid[] AS provider_ids, o.amount_units AS units
    UNION ALL
    SELECT y.provider_id, array_agg(y.provider_id) OVER (ORDER BY y.provider_id
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), sum(y.amount_units)
    FROM payable y WHERE y.payout_id = o.id AND y.provider_id IS NOT NULL GROUP BY y.provider_id) part
  WHERE o.id = ANY (payout_ids);

  DELETE FROM payout_sum s
  USING jsonb_to_recordset(cells) c (community_id uuid, recipient_type text, day date)
  WHERE s.community_id = c.community_id AND s.recipient_type = c.recipient_type AND s.grain = 'day' AND s.period = c.day;
  INSERT INTO payout_sum (grain, period, provider_id, provider_ids, community_id, recipient_type, status, payouts,
    amount_units, first_created, last_created)
  SELECT 'day', c.day, s.provider_id, s.provider_ids, c.community_id, c.recipient_type, s.status, s.payouts,
    s.units, s.first_created, s.last_created
  FROM jsonb_to_recordset(cells) c (community_id uuid, recipient_type text, day date)
  CROSS JOIN LATERAL (
    SELECT s.provider_id, s.provider_ids, s.status, count(*)::int AS payouts, sum(s.amount_units) AS units,
      min(s.created_at) AS first_created, max(s.created_at) AS last_created
    FROM payout_provider s
    WHERE s.community_id = c.community_id AND s.recipient_type = c.recipient_type
      AND s.created_at >= c.day::timestamp AT TIME ZONE 'UTC'
      AND s.created_at < (c.day + 1)::timestamp AT TIME ZONE 'UTC'
    GROUP BY s.provider_id, s.provider_ids, s.status) s;

  DELETE FROM payout_sum s
  USING jsonb_to_recordset(cells) c (community_id uuid, recipient_type text, day date)
  WHERE s.community_id = c.community_id AND s.recipient_type = c.recipient_type AND s.grain = 'month'
    AND s.period = date_trunc('month', c.day)::date;
  INSERT INTO payout_sum (grain, period, provider_id, provider_ids, community_id, recipient_type, status, payouts,
    amount_units, first_created, last_created)
  SELECT 'month', m.month, s.provider_id, s.provider_ids, m.community_id, m.recipient_type, s.status, s.payouts,
    s.units, s.first_created, s.last_created
  FROM (SELECT DISTINCT c.community_id, c.recipient_type, date_trunc('month', c.day)::date AS month
        FROM jsonb_to_recordset(cells) c (community_id uuid, recipient_type text, day date)) m
  CROSS JOIN LATERAL (
    SELECT s.provider_id, s.provider_ids, s.status, sum(s.payouts)::int AS payouts, sum(s.amount_units) AS units,
      min(s.first_created) AS first_created, max(s.last_created) AS last_created
    FROM payout_sum s
    WHERE s.community_id = m.community_id AND s.recipient_type = m.recipient_type AND s.grain = 'day'
      AND s.period >= m.month AND s.period < (m.month + interval '1 month')::date
    GROUP BY s.provider_id, s.provider_ids, s.status) s;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$function$;

-- Parts and sums follow. Providers with a part of the payout, before or now, receive the change.
CREATE FUNCTION app.payouts_touched(payout_ids uuid[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
  seen_before jsonb;
BEGIN
  SELECT jsonb_object_agg(payout_id, providers) INTO seen_before
  FROM (SELECT payout_id, jsonb_agg(provider_id) AS providers FROM payout_provider
        WHERE payout_id = ANY (payout_ids) AND provider_id IS NOT NULL GROUP BY payout_id) s;
  PERFORM app.refresh_payouts(payout_ids);
  INSERT INTO change_event (topic, entity_id, provider_ids)
  SELECT 'payout', w.id, ARRAY(
    SELECT provider_id FROM payout_provider WHERE payout_id = w.id AND provider_id IS NOT NULL
    UNION SELECT p::uuid FROM jsonb_array_elements_text(seen_before -> w.id::text) p)
  FROM unnest(payout_ids) w (id);
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;

-- The one condition, for statements and triggers.
CREATE FUNCTION app.is_held(released_at timestamptz, changed_at timestamptz, hold interval) RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN released_at IS NULL OR changed_at > now() - hold;
COMMENT ON FUNCTION app.is_held(timestamptz, timestamptz, interval) IS
  'Whether a changed address is not paid to: nobody released it, or its waiting time has not passed. Never by time alone, and never at once.';
GRANT EXECUTE ON FUNCTION app.is_held(timestamptz, timestamptz, interval) TO copydesk_app;
