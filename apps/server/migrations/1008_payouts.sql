-- Money that leaves on chain. The engine first writes the transfer, then the signed bytes of its transaction, and sends
-- only stored bytes: after a crash at any point it can continue without guessing.

CREATE TABLE distribution (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  community_id uuid NOT NULL REFERENCES community ON DELETE RESTRICT,
  state text NOT NULL CHECK (state IN ('awaiting_approval', 'approved', 'declined')),
  amount_units numeric(38, 0) NOT NULL CHECK (amount_units > 0),
  requested_by_id text NOT NULL,
  requested_by text NOT NULL,
  decided_by_id text,
  decided_by text,
  decided_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (decided_by_id <> requested_by_id OR state = 'declined'),
  CHECK ((decided_by_id IS NULL) = (decided_at IS NULL) AND (decided_by_id IS NULL) = (decided_by IS NULL))
);
COMMENT ON TABLE distribution IS 'A decision to pay out what a community owes, with one payout for each recipient.';
COMMENT ON COLUMN distribution.decided_by_id IS
  'The person who approved or declined it. Only a decline may come from the person who requested it. NULL: not '
  'decided yet, or no approval was needed.';
CREATE INDEX distribution_by_community ON distribution (community_id, created_at DESC, id);
CREATE INDEX distribution_awaiting ON distribution (created_at) WHERE state = 'awaiting_approval';

ALTER TABLE distribution ENABLE ROW LEVEL SECURITY;
ALTER TABLE distribution FORCE ROW LEVEL SECURITY;
CREATE POLICY distribution_scope ON distribution USING ((SELECT app.sees_all()));

-- A setting says how long a user must have been a super admin first; the application enforces it.
CREATE FUNCTION app.refuse_dependent_approval() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM identity.user_access a
      WHERE a.user_id::text = NEW.decided_by_id AND a.super AND a.disabled_at IS NULL AND a.confirmed_at IS NOT NULL)
    OR EXISTS (SELECT FROM identity.user_access a WHERE a.user_id::text = NEW.requested_by_id
      AND a.confirmed_at IS NULL AND NEW.decided_by_id IN (SELECT identity.sponsors_of(a.user_id)::text))
  THEN
    RAISE EXCEPTION 'a distribution is approved by an independent, confirmed super admin'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER distribution_approved BEFORE UPDATE OF state, decided_by_id ON distribution
  FOR EACH ROW WHEN (NEW.state = 'approved') EXECUTE FUNCTION app.refuse_dependent_approval();

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

CREATE TABLE payout (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  community_id uuid NOT NULL REFERENCES community,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN
    ('pending', 'consolidating', 'consolidated', 'distributing', 'distributed', 'failed')),
  version integer NOT NULL DEFAULT 1,
  recipient_type text NOT NULL CHECK (recipient_type IN
    ('mark', 'community', 'community_referrer', 'trader_referrer', 'hexmount', 'sixk', 'tip')),
  recipient_address text NOT NULL CHECK (recipient_address ~ '^0x[0-9a-fA-F]{40}$'),
  amount_units numeric(38, 0) NOT NULL CHECK (amount_units > 0),
  consolidate_transaction_hash text CHECK (consolidate_transaction_hash ~ '^0x[0-9a-f]{64}$'),
  distribute_transaction_hash text CHECK (distribute_transaction_hash ~ '^0x[0-9a-f]{64}$'),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  recipient_search text COLLATE "C" GENERATED ALWAYS AS (lower(recipient_address)) STORED,
  distribution_id uuid REFERENCES distribution ON DELETE RESTRICT,
  problem text CHECK (problem ~ '^[a-z_]+$'),
  ordered_at timestamptz,
  ordered_by_id text,
  CHECK (status <> 'distributed' OR distribute_transaction_hash IS NOT NULL),
  CONSTRAINT payout_ordered CHECK (
    (distribution_id IS NULL) = (ordered_at IS NULL) AND (distribution_id IS NULL) = (ordered_by_id IS NULL))
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

ALTER TABLE payout ENABLE ROW LEVEL SECURITY;
ALTER TABLE payout FORCE ROW LEVEL SECURITY;

-- A nonce is handed out once, and an ended transfer keeps its state. The exception is a gap: when the chain has fewer
-- transactions than recorded and a person gives up the unused nonces, they are handed out again. UNIQUE (wallet_id,
-- nonce) still holds.
CREATE FUNCTION app.refuse_chain_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'what was signed or has ended on chain does not change'
    USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TABLE chain_wallet (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  chain_id integer NOT NULL,
  role text NOT NULL CHECK (role IN ('gas', 'community', 'deposit')),
  owner_id uuid NOT NULL,
  key_index integer NOT NULL CHECK (key_index >= 0),
  address text NOT NULL CHECK (address ~ '^0x[0-9a-fA-F]{40}$'),
  next_nonce bigint NOT NULL DEFAULT 0 CHECK (next_nonce >= 0),
  first_nonce bigint NOT NULL DEFAULT 0 CHECK (first_nonce >= 0),
  frozen_because text,
  frozen_at timestamptz,
  chain_nonce bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (chain_id, role, owner_id),
  CHECK ((frozen_because IS NULL) = (frozen_at IS NULL)),
  CHECK ((role = 'gas') = (owner_id = '00000000-0000-0000-0000-000000000000'))
);
COMMENT ON TABLE chain_wallet IS
  'Addresses of ours. The row of an address hands out its nonces, whichever worker signs.';
COMMENT ON COLUMN chain_wallet.owner_id IS 'A trader or a community; zeros for the platform.';
COMMENT ON COLUMN chain_wallet.key_index IS 'Path index of the key below the seed.';
COMMENT ON COLUMN chain_wallet.next_nonce IS
  'Starts at zero, whatever the chain reports: a restored database must not adopt transactions that it never signed.';
COMMENT ON COLUMN chain_wallet.first_nonce IS
  'Every nonce from here on is ours. A person accepted the transactions below it.';
COMMENT ON COLUMN chain_wallet.frozen_because IS 'While set, nothing is signed or sent; a person clears it.';
COMMENT ON COLUMN chain_wallet.chain_nonce IS
  'Number of transactions that the chain knew of the address when it was frozen.';
CREATE UNIQUE INDEX chain_wallet_by_address ON chain_wallet (chain_id, lower(address));
CREATE INDEX chain_wallet_frozen ON chain_wallet (id) WHERE frozen_because IS NOT NULL;

ALTER TABLE chain_wallet ENABLE ROW LEVEL SECURITY;
ALTER TABLE chain_wallet FORCE ROW LEVEL SECURITY;
CREATE POLICY chain_wallet_scope ON chain_wallet USING ((SELECT app.sees_all()));

CREATE TRIGGER nonce_goes_up BEFORE UPDATE OF next_nonce ON chain_wallet
  FOR EACH ROW WHEN (NEW.next_nonce < OLD.next_nonce
    AND NOT (OLD.frozen_because IS NOT DISTINCT FROM 'nonce_gap' AND NEW.frozen_because IS NULL))
  EXECUTE FUNCTION app.refuse_chain_change();
CREATE TRIGGER chain_wallet_thawed AFTER UPDATE OF frozen_because ON chain_wallet
  FOR EACH ROW WHEN (OLD.frozen_because IS NOT NULL AND NEW.frozen_because IS NULL)
  EXECUTE FUNCTION app.announce_work();

CREATE TABLE transfer (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL CHECK (kind IN ('gas_topup', 'consolidate', 'distribute')),
  wallet_id uuid NOT NULL REFERENCES chain_wallet ON DELETE RESTRICT,
  community_id uuid REFERENCES community ON DELETE RESTRICT,
  payout_id uuid REFERENCES payout ON DELETE RESTRICT,
  to_address text NOT NULL CHECK (to_address ~ '^0x[0-9a-fA-F]{40}$'),
  token_address text CHECK (token_address ~ '^0x[0-9a-fA-F]{40}$'),
  amount_units numeric(38, 0) NOT NULL CHECK (amount_units > 0),
  state text NOT NULL DEFAULT 'planned' CHECK (state IN ('planned', 'sent', 'final', 'reverted', 'cancelled', 'void')),
  nonce bigint,
  is_cancel_asked boolean NOT NULL DEFAULT false,
  problem text CHECK (problem ~ '^[a-z_]+$'),
  problem_detail text,
  retry_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz,
  ended_at timestamptz,
  UNIQUE (wallet_id, nonce),
  CHECK ((kind = 'gas_topup') = (token_address IS NULL)),
  CHECK ((kind = 'gas_topup') = (community_id IS NULL)),
  CHECK ((kind = 'distribute') = (payout_id IS NOT NULL)),
  CHECK ((state IN ('planned', 'void')) = (nonce IS NULL)),
  CHECK ((state IN ('planned', 'sent')) = (ended_at IS NULL))
);
COMMENT ON TABLE transfer IS 'One transfer to make. Its terms never change; only its state does.';
COMMENT ON COLUMN transfer.community_id IS 'The community that pays; NULL for top-ups of coin.';
COMMENT ON COLUMN transfer.token_address IS 'NULL for the chain''s own coin.';
COMMENT ON COLUMN transfer.state IS
  'planned: no nonce yet. sent: signed, and sent until it is final. cancelled: its nonce was spent on an empty '
  'transaction.';
COMMENT ON COLUMN transfer.problem IS 'Why it does not proceed: a code; problem_detail has the answer of the chain.';
-- A payout has one transfer at a time, and none after one that paid. An address is topped up once at a time.
CREATE UNIQUE INDEX transfer_pays_once ON transfer (payout_id)
  WHERE state IN ('planned', 'sent', 'final');
CREATE UNIQUE INDEX transfer_one_topup ON transfer (wallet_id, lower(to_address))
  WHERE kind = 'gas_topup' AND state IN ('planned', 'sent');
CREATE INDEX transfer_planned ON transfer (wallet_id, created_at, id) WHERE state = 'planned';
CREATE INDEX transfer_sent ON transfer (wallet_id, nonce) WHERE state = 'sent';
CREATE INDEX transfer_of_payout ON transfer (payout_id, created_at) WHERE payout_id IS NOT NULL;
CREATE INDEX transfer_by_sent ON transfer (sent_at) WHERE kind = 'distribute' AND sent_at IS NOT NULL;
-- The usual time of a step of a payout comes from the latest final transfers of its kind.
CREATE INDEX transfer_by_end ON transfer (kind, ended_at DESC) WHERE state = 'final';

ALTER TABLE transfer ENABLE ROW LEVEL SECURITY;
ALTER TABLE transfer FORCE ROW LEVEL SECURITY;
CREATE POLICY transfer_scope ON transfer USING ((SELECT app.sees_all()));

CREATE TRIGGER intent_keeps_its_nonce BEFORE UPDATE ON transfer
  FOR EACH ROW WHEN ((OLD.nonce IS NOT NULL AND NEW.nonce IS DISTINCT FROM OLD.nonce)
    OR (OLD.ended_at IS NOT NULL AND NEW.state <> OLD.state)) EXECUTE FUNCTION app.refuse_chain_change();
CREATE TRIGGER transfer_planned AFTER INSERT ON transfer
  FOR EACH STATEMENT EXECUTE FUNCTION app.announce_work();

CREATE TABLE transfer_attempt (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  transfer_id uuid NOT NULL REFERENCES transfer ON DELETE RESTRICT,
  wallet_id uuid NOT NULL REFERENCES chain_wallet ON DELETE RESTRICT,
  nonce bigint NOT NULL,
  attempt integer NOT NULL CHECK (attempt > 0),
  is_cancel boolean NOT NULL DEFAULT false,
  hash text NOT NULL UNIQUE CHECK (hash ~ '^0x[0-9a-f]{64}$'),
  raw text NOT NULL CHECK (raw ~ '^0x[0-9a-f]+$'),
  max_fee_wei numeric(38, 0) NOT NULL CHECK (max_fee_wei > 0),
  priority_fee_wei numeric(38, 0) NOT NULL CHECK (priority_fee_wei >= 0),
  gas_limit bigint NOT NULL CHECK (gas_limit > 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  broadcast_at timestamptz,
  block_number bigint,
  block_hash text,
  is_success boolean,
  fee_wei numeric(38, 0),
  UNIQUE (wallet_id, nonce, attempt),
  FOREIGN KEY (wallet_id, nonce) REFERENCES transfer (wallet_id, nonce),
  CHECK (num_nonnulls(block_number, block_hash, is_success, fee_wei) IN (0, 4))
);
COMMENT ON TABLE transfer_attempt IS
  'A signed transaction of a transfer. Only these bytes are sent, repeatedly if necessary.';
COMMENT ON COLUMN transfer_attempt.is_cancel IS 'Spends the nonce on an empty transaction instead of the transfer.';
COMMENT ON COLUMN transfer_attempt.broadcast_at IS 'When a server last accepted it.';
COMMENT ON COLUMN transfer_attempt.block_number IS
  'The receipt, once final: block_number, block_hash, is_success and fee_wei.';
CREATE INDEX transfer_attempt_of_intent ON transfer_attempt (transfer_id, attempt);
-- Recent transaction fees.
CREATE INDEX transfer_attempt_by_receipt ON transfer_attempt (block_number DESC)
  INCLUDE (fee_wei) WHERE block_number IS NOT NULL;

ALTER TABLE transfer_attempt ENABLE ROW LEVEL SECURITY;
ALTER TABLE transfer_attempt FORCE ROW LEVEL SECURITY;
CREATE POLICY transfer_attempt_scope ON transfer_attempt USING ((SELECT app.sees_all()));

CREATE TABLE payable (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  invoice_id uuid NOT NULL REFERENCES invoice ON DELETE RESTRICT,
  community_id uuid NOT NULL REFERENCES community,
  provider_id uuid REFERENCES provider,
  recipient_type text NOT NULL CHECK (recipient_type IN
    ('mark', 'community', 'community_referrer', 'trader_referrer', 'hexmount', 'sixk', 'tip')),
  recipient_address text CHECK (recipient_address ~ '^0x[0-9a-fA-F]{40}$'),
  amount_units numeric(38, 0) NOT NULL CHECK (amount_units > 0),
  payout_id uuid REFERENCES payout ON DELETE RESTRICT,
  paid_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  payment_id uuid REFERENCES payment,
  consolidation_id uuid REFERENCES transfer ON DELETE RESTRICT,
  settled_at timestamptz,
  CHECK (paid_at IS NULL OR payout_id IS NOT NULL),
  CHECK (recipient_address IS NOT NULL OR payout_id IS NULL),
  CONSTRAINT payable_settled CHECK (settled_at IS NULL OR (paid_at IS NULL AND payout_id IS NULL)),
  CHECK (payment_id IS NULL OR recipient_type = 'tip')
);
COMMENT ON TABLE payable IS 'A recipient''s part of a paid invoice. At most one payout pays it.';
COMMENT ON COLUMN payable.payment_id IS 'A payable is due once; a tip is due once for each payment that brought one.';
COMMENT ON COLUMN payable.consolidation_id IS
  'The transfer that brings the money into the community''s wallet; NULL until it is ordered.';
COMMENT ON COLUMN payable.settled_at IS
  'Set for a part of an imported invoice without money on chain: it is not paid out.';
CREATE INDEX payable_by_payout ON payable (payout_id, provider_id);
CREATE INDEX payable_by_provider ON payable (provider_id);
CREATE UNIQUE INDEX payable_once ON payable (invoice_id, recipient_type, payment_id) NULLS NOT DISTINCT;
CREATE INDEX payable_by_consolidation ON payable (consolidation_id) WHERE consolidation_id IS NOT NULL;
-- A payable is paid in the transaction that marks its payout as distributed, and stays paid: days are added up from the
-- index alone.
CREATE INDEX payable_paid ON payable (community_id, paid_at) INCLUDE (provider_id, amount_units)
  WHERE paid_at IS NOT NULL;
CREATE INDEX payable_pending ON payable (community_id) WHERE payout_id IS NULL AND settled_at IS NULL;
CREATE INDEX payable_unpaid ON payable (community_id) WHERE paid_at IS NULL AND settled_at IS NULL;

ALTER TABLE payable ENABLE ROW LEVEL SECURITY;
ALTER TABLE payable FORCE ROW LEVEL SECURITY;
-- Only transactions that see everything write payables and payouts: payouts are visible through the payables in them.
CREATE POLICY payable_scope ON payable
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]))
  WITH CHECK ((SELECT app.sees_all()));

CREATE POLICY payout_scope ON payout
  USING ((SELECT app.sees_all()) OR EXISTS (
    SELECT FROM payable p WHERE p.payout_id = payout.id
      AND p.provider_id = ANY ((SELECT app.provider_ids())::uuid[])))
  WITH CHECK ((SELECT app.sees_all()));

-- A transfer to a recipient pays exactly the payables of its payout, to the address frozen with it. A rule forgotten in
-- code fails here, before anything is signed.
CREATE FUNCTION app.check_payment_intents() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
  wrong uuid;
BEGIN
  SELECT i.payout_id INTO wrong
  FROM added i JOIN payout o ON o.id = i.payout_id
  WHERE i.kind = 'distribute' AND (
    lower(i.to_address) <> lower(o.recipient_address) OR i.amount_units <> o.amount_units
    OR i.amount_units <> (SELECT coalesce(sum(y.amount_units), 0) FROM payable y WHERE y.payout_id = o.id))
  LIMIT 1;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  IF wrong IS NOT NULL THEN
    RAISE EXCEPTION 'a transfer does not pay the shares of payout %', wrong USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER transfer_pays_its_shares AFTER INSERT ON transfer
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.check_payment_intents();

CREATE TABLE transfer_heartbeat (
  chain_id integer PRIMARY KEY,
  looked_at timestamptz NOT NULL DEFAULT now(),
  halted_because text CHECK (halted_because IN ('chain_silent', 'fees_too_high', 'turn_failed')),
  halted_at timestamptz,
  CHECK ((halted_because IS NULL) = (halted_at IS NULL))
);
COMMENT ON TABLE transfer_heartbeat IS
  'When a worker last processed the payouts of a chain, and what halts all of them. A waiting payout without a '
  'reason of its own shows this one. Times come from the clock of the database: clocks of workers may differ.';

ALTER TABLE transfer_heartbeat ENABLE ROW LEVEL SECURITY;
ALTER TABLE transfer_heartbeat FORCE ROW LEVEL SECURITY;
CREATE POLICY transfer_heartbeat_scope ON transfer_heartbeat USING ((SELECT app.sees_all()));

-- Whether an address is one of ours, or the token itself: nothing may be paid out there. Staff change payout addresses
-- of traders and see their own providers only, so the function runs with the owner's rights and answers only yes or no.
CREATE FUNCTION app.is_platform_address(wanted text) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
  found boolean;
BEGIN
  SELECT EXISTS (SELECT FROM trader WHERE lower(deposit_address) = lower(wanted) AND deposit_address IS NOT NULL)
    OR EXISTS (SELECT FROM community WHERE lower(internal_wallet_address) = lower(wanted))
    OR EXISTS (SELECT FROM pooled_account WHERE lower(proxy_address) = lower(wanted))
    OR EXISTS (SELECT FROM chain_wallet WHERE lower(address) = lower(wanted))
    OR EXISTS (SELECT FROM chain_cursor WHERE token_address = lower(wanted)) INTO found;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN found;
END
$$;

-- Records about money stay: the application may change their state, and nothing else.
REVOKE UPDATE, DELETE ON distribution, chain_wallet, transfer, transfer_attempt FROM copydesk_app;
REVOKE DELETE ON transfer_heartbeat FROM copydesk_app;
GRANT UPDATE (state, decided_by_id, decided_by, decided_at) ON distribution TO copydesk_app;
GRANT UPDATE (next_nonce, first_nonce, frozen_because, frozen_at, chain_nonce) ON chain_wallet TO copydesk_app;
GRANT UPDATE (state, nonce, is_cancel_asked, problem, problem_detail, retry_at, sent_at, ended_at)
  ON transfer TO copydesk_app;
GRANT UPDATE (broadcast_at, block_number, block_hash, is_success, fee_wei) ON transfer_attempt TO copydesk_app;
GRANT EXECUTE ON FUNCTION app.is_platform_address(text), app.distributions_awaiting() TO copydesk_app;
