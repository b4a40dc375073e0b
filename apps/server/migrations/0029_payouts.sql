-- Money that goes out on chain. What is to be paid is written down first (an intent), then the signed bytes of its
-- transaction, and only those are ever sent: a crash at any point leaves something to go on from, and nothing to guess.

-- A person's decision to pay out what a community owes. Its payouts are payouts, one a recipient.
CREATE TABLE distribution (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  community_id uuid NOT NULL REFERENCES community ON DELETE RESTRICT,
  state text NOT NULL CHECK (state IN ('awaiting_approval', 'approved', 'declined')),
  amount_units numeric(38, 0) NOT NULL CHECK (amount_units > 0),
  requested_by_id text NOT NULL,
  requested_by text NOT NULL,
  -- Who approved or declined it: somebody else. NULL where nobody had to.
  decided_by_id text,
  decided_by text,
  decided_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (decided_by_id <> requested_by_id OR state = 'declined'),
  CHECK ((decided_by_id IS NULL) = (decided_at IS NULL) AND (decided_by_id IS NULL) = (decided_by IS NULL))
);
CREATE INDEX distribution_by_community ON distribution (community_id, created_at DESC, id);
CREATE INDEX distribution_awaiting ON distribution (created_at) WHERE state = 'awaiting_approval';

ALTER TABLE payout
  ADD COLUMN distribution_id uuid REFERENCES distribution ON DELETE RESTRICT,
  -- Why it failed, or waits: a code.
  ADD COLUMN problem text CHECK (problem ~ '^[a-z_]+$');
CREATE INDEX payout_of_distribution ON payout (distribution_id) WHERE distribution_id IS NOT NULL;

-- An address of ours. One row hands out its nonces, whoever signs.
CREATE TABLE chain_wallet (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  chain_id integer NOT NULL,
  role text NOT NULL CHECK (role IN ('gas', 'community', 'deposit')),
  -- A trader or a community; zeros for the platform itself.
  owner_id uuid NOT NULL,
  -- Where its key is below the seed.
  key_index integer NOT NULL CHECK (key_index >= 0),
  address text NOT NULL CHECK (address ~ '^0x[0-9a-fA-F]{40}$'),
  -- Begins at zero, whatever the chain says: a database that was put back must not take over what it never signed.
  next_nonce bigint NOT NULL DEFAULT 0 CHECK (next_nonce >= 0),
  -- From here on every nonce is one of ours. What the chain has below it a person took as it is.
  first_nonce bigint NOT NULL DEFAULT 0 CHECK (first_nonce >= 0),
  -- While it stands nothing is signed or sent; a person takes it away.
  frozen_because text,
  frozen_at timestamptz,
  -- Transactions of the address that the chain knew when it was frozen.
  chain_nonce bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (chain_id, role, owner_id),
  CHECK ((frozen_because IS NULL) = (frozen_at IS NULL)),
  CHECK ((role = 'gas') = (owner_id = '00000000-0000-0000-0000-000000000000'))
);
CREATE UNIQUE INDEX chain_wallet_by_address ON chain_wallet (chain_id, lower(address));
CREATE INDEX chain_wallet_frozen ON chain_wallet (id) WHERE frozen_because IS NOT NULL;

-- One transfer that is to be made, whatever it takes. What it says never changes; only what became of it does.
CREATE TABLE transfer (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL CHECK (kind IN ('gas_topup', 'consolidate', 'distribute')),
  wallet_id uuid NOT NULL REFERENCES chain_wallet ON DELETE RESTRICT,
  -- Whose payout it is; NULL for coin.
  community_id uuid REFERENCES community ON DELETE RESTRICT,
  payout_id uuid REFERENCES payout ON DELETE RESTRICT,
  to_address text NOT NULL CHECK (to_address ~ '^0x[0-9a-fA-F]{40}$'),
  -- NULL for the chain's own coin.
  token_address text CHECK (token_address ~ '^0x[0-9a-fA-F]{40}$'),
  amount_units numeric(38, 0) NOT NULL CHECK (amount_units > 0),
  -- planned: no nonce yet. sent: signed, and sent until it is final. cancelled: its nonce was spent on nothing.
  state text NOT NULL DEFAULT 'planned' CHECK (state IN ('planned', 'sent', 'final', 'reverted', 'cancelled', 'void')),
  nonce bigint,
  is_cancel_asked boolean NOT NULL DEFAULT false,
  -- Why it does not go on, and since when: a code and what the chain said.
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
-- A payout has one transfer at a time, and none after one that paid; an address is topped up once at a time.
CREATE UNIQUE INDEX transfer_pays_once ON transfer (payout_id)
  WHERE state IN ('planned', 'sent', 'final');
CREATE UNIQUE INDEX transfer_one_topup ON transfer (wallet_id, lower(to_address))
  WHERE kind = 'gas_topup' AND state IN ('planned', 'sent');
CREATE INDEX transfer_planned ON transfer (wallet_id, created_at, id) WHERE state = 'planned';
CREATE INDEX transfer_sent ON transfer (wallet_id, nonce) WHERE state = 'sent';
CREATE INDEX transfer_of_payout ON transfer (payout_id, created_at) WHERE payout_id IS NOT NULL;
CREATE INDEX transfer_by_sent ON transfer (sent_at) WHERE kind = 'distribute' AND sent_at IS NOT NULL;

-- A transaction of an intent, as it was signed: these bytes are sent, again if need be, and no others.
CREATE TABLE transfer_attempt (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  transfer_id uuid NOT NULL REFERENCES transfer ON DELETE RESTRICT,
  wallet_id uuid NOT NULL REFERENCES chain_wallet ON DELETE RESTRICT,
  nonce bigint NOT NULL,
  attempt integer NOT NULL CHECK (attempt > 0),
  -- Spends the nonce on nothing, instead of on what the intent says.
  is_cancel boolean NOT NULL DEFAULT false,
  hash text NOT NULL UNIQUE CHECK (hash ~ '^0x[0-9a-f]{64}$'),
  raw text NOT NULL CHECK (raw ~ '^0x[0-9a-f]+$'),
  max_fee_wei numeric(38, 0) NOT NULL CHECK (max_fee_wei > 0),
  priority_fee_wei numeric(38, 0) NOT NULL CHECK (priority_fee_wei >= 0),
  gas_limit bigint NOT NULL CHECK (gas_limit > 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  -- A server took it, and when it did so last.
  broadcast_at timestamptz,
  -- Its receipt, once final.
  block_number bigint,
  block_hash text,
  is_success boolean,
  fee_wei numeric(38, 0),
  UNIQUE (wallet_id, nonce, attempt),
  FOREIGN KEY (wallet_id, nonce) REFERENCES transfer (wallet_id, nonce),
  CHECK (num_nonnulls(block_number, block_hash, is_success, fee_wei) IN (0, 4))
);
CREATE INDEX transfer_attempt_of_intent ON transfer_attempt (transfer_id, attempt);
-- What transactions cost lately.
CREATE INDEX transfer_attempt_by_receipt ON transfer_attempt (block_number DESC) INCLUDE (fee_wei) WHERE block_number IS NOT NULL;

-- The transfer that brings what backs a share into the community's wallet; NULL while nobody ordered it.
ALTER TABLE payable ADD COLUMN consolidation_id uuid REFERENCES transfer ON DELETE RESTRICT;
CREATE INDEX payable_by_consolidation ON payable (consolidation_id) WHERE consolidation_id IS NOT NULL;
CREATE INDEX payable_unpaid ON payable (community_id) WHERE paid_at IS NULL;

-- What is written about money stays: the application may note what became of it, and nothing else.
REVOKE UPDATE, DELETE, TRUNCATE ON distribution, chain_wallet, transfer, transfer_attempt FROM copydesk_app;
GRANT UPDATE (state, decided_by_id, decided_by, decided_at) ON distribution TO copydesk_app;
GRANT UPDATE (next_nonce, first_nonce, frozen_because, frozen_at, chain_nonce) ON chain_wallet TO copydesk_app;
GRANT UPDATE (state, nonce, is_cancel_asked, problem, problem_detail, retry_at, sent_at, ended_at)
  ON transfer TO copydesk_app;
GRANT UPDATE (broadcast_at, block_number, block_hash, is_success, fee_wei) ON transfer_attempt TO copydesk_app;

-- A nonce is never handed out twice, and what has ended stays as it ended. Only what a person gave up unused, because
-- the chain has fewer transactions than it said, is handed out after all; UNIQUE (wallet_id, nonce) holds there as well.
CREATE FUNCTION app.refuse_chain_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'what was signed or has ended on chain does not change'
    USING ERRCODE = 'integrity_constraint_violation';
END
$$;
CREATE TRIGGER nonce_goes_up BEFORE UPDATE OF next_nonce ON chain_wallet
  FOR EACH ROW WHEN (NEW.next_nonce < OLD.next_nonce
    AND NOT (OLD.frozen_because IS NOT DISTINCT FROM 'nonce_gap' AND NEW.frozen_because IS NULL)) EXECUTE FUNCTION app.refuse_chain_change();
CREATE TRIGGER intent_keeps_its_nonce BEFORE UPDATE ON transfer
  FOR EACH ROW WHEN ((OLD.nonce IS NOT NULL AND NEW.nonce IS DISTINCT FROM OLD.nonce)
    OR (OLD.ended_at IS NOT NULL AND NEW.state <> OLD.state)) EXECUTE FUNCTION app.refuse_chain_change();

CREATE TRIGGER transfer_planned AFTER INSERT ON transfer
  FOR EACH STATEMENT EXECUTE FUNCTION app.announce_work();
CREATE TRIGGER chain_wallet_thawed AFTER UPDATE OF frozen_because ON chain_wallet
  FOR EACH ROW WHEN (OLD.frozen_because IS NOT NULL AND NEW.frozen_because IS NULL)
  EXECUTE FUNCTION app.announce_work();

DO $$
DECLARE
  scoped text;
BEGIN
  FOREACH scoped IN ARRAY ARRAY['distribution', 'chain_wallet', 'transfer', 'transfer_attempt'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', scoped);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', scoped);
    EXECUTE format('CREATE POLICY %I ON %I USING ((SELECT app.sees_all()))', scoped || '_scope', scoped);
  END LOOP;
END
$$;
