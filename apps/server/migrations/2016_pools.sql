-- Pooled accounts, their members, and their deposits and withdrawals.

CREATE TABLE pooled_account (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  community_id uuid NOT NULL UNIQUE REFERENCES community,
  is_active boolean NOT NULL DEFAULT true,
  minimum_deposit_units numeric(38,0) NOT NULL CHECK (minimum_deposit_units > 0),
  proxy_address text CHECK (proxy_address ~ '^0x[0-9a-fA-F]{40}$'),
  bybit_uid text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  proxy_index integer GENERATED ALWAYS AS IDENTITY UNIQUE,
  fee_basis text NOT NULL DEFAULT 'net_carry' CHECK (fee_basis IN ('net_carry', 'gross_winners')),
  bybit_deposit_address text CHECK (bybit_deposit_address ~ '^0x[0-9a-fA-F]{40}$'),
  bybit_deposit_address_from timestamptz,
  bybit_deposit_address_by text,
  bybit_address_read text CHECK (bybit_address_read ~ '^0x[0-9a-fA-F]{40}$'),
  bybit_address_read_at timestamptz,
  has_bot boolean NOT NULL DEFAULT false,
  positions_read_until timestamptz,
  max_drawdown_percentage numeric(5,2) CHECK (max_drawdown_percentage > 0 AND max_drawdown_percentage <= 100),
  breaker_raised_by text,
  breaker_raised_from numeric(5,2),
  breaker_raises jsonb NOT NULL DEFAULT '[]'::jsonb CHECK (jsonb_typeof(breaker_raises) = 'array'),
  is_approved boolean NOT NULL DEFAULT true,
  bybit_region text CHECK (bybit_region ~ '^[a-z]{2,8}$'),
  CONSTRAINT pooled_account_active_approved CHECK (is_approved OR NOT is_active),
  CONSTRAINT pooled_account_address_from
    CHECK ((bybit_deposit_address IS NULL) = (bybit_deposit_address_from IS NULL)),
  CONSTRAINT pooled_account_address_read CHECK ((bybit_address_read IS NULL) = (bybit_address_read_at IS NULL)),
  CONSTRAINT pooled_account_breaker_raised CHECK ((breaker_raised_by IS NULL) = (breaker_raised_from IS NULL))
);
COMMENT ON TABLE pooled_account IS 'The shared exchange account of a community, visible with the community.';
COMMENT ON COLUMN pooled_account.proxy_address IS 'NULL until the worker, which has the seed, sets it up.';
COMMENT ON COLUMN pooled_account.proxy_index IS 'Path index of the proxy wallet below the seed (BIP-44).';
COMMENT ON COLUMN pooled_account.bybit_deposit_address IS
  'Where the pool''s money is sent at the stop of a harvest: the approved address, usable from bybit_deposit_address_from.';
COMMENT ON COLUMN pooled_account.bybit_address_read IS
  'The deposit address as the exchange last gave it; NULL: its key may not read it.';
COMMENT ON COLUMN pooled_account.has_bot IS 'Whether the trading bot pauses and resumes it; otherwise an operator confirms.';
COMMENT ON COLUMN pooled_account.positions_read_until IS
  'All positions closed before were read; NULL: none yet. It moves only with spans that were read to their end.';
COMMENT ON COLUMN pooled_account.max_drawdown_percentage IS
  'Per cent below the highest unit price at which the harvest of the pool cannot be stopped; NULL: no limit.';
COMMENT ON COLUMN pooled_account.breaker_raised_by IS
  'The latest of breaker_raises, for the version before.';
COMMENT ON COLUMN pooled_account.breaker_raises IS
  'Who raised or removed the limit since the pool traded last, and the lowest limit of each before: [{by, from}]. It still holds for them.';
COMMENT ON COLUMN pooled_account.is_approved IS
  'Another super admin approved its connection, or the owner of the database set it up. Before, it takes part in nothing.';
COMMENT ON COLUMN pooled_account.bybit_region IS
  'The regional platform of Bybit that knows the key, as in kz; null: its main one.';

ALTER TABLE pooled_account ENABLE ROW LEVEL SECURITY;
ALTER TABLE pooled_account FORCE ROW LEVEL SECURITY;
CREATE POLICY pooled_account_scope ON pooled_account
  USING ((SELECT app.sees_all()) OR EXISTS (SELECT FROM community c WHERE c.id = pooled_account.community_id))
  WITH CHECK ((SELECT app.sees_all()));

-- Every pool has a row of sums, whichever way it was created.
CREATE FUNCTION app.pool_added() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO pool_sum (pooled_account_id) VALUES (NEW.id);
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;

CREATE TRIGGER pooled_account_added AFTER INSERT ON pooled_account FOR EACH ROW EXECUTE FUNCTION app.pool_added();
CREATE TRIGGER pooled_account_written AFTER INSERT OR UPDATE ON pooled_account
  FOR EACH ROW EXECUTE FUNCTION app.pool_written();

-- Whoever connects a pool cannot approve it: that takes an order of two people.
CREATE FUNCTION app.connect_unapproved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.is_approved := false;
  NEW.is_active := false;
  RETURN NEW;
END
$$;

CREATE TRIGGER pooled_account_connected BEFORE INSERT ON pooled_account FOR EACH ROW
  WHEN (app.is_application())
  EXECUTE FUNCTION app.connect_unapproved();
CREATE TRIGGER no_worker_approves BEFORE UPDATE OF is_approved ON pooled_account
  FOR EACH ROW WHEN (NEW.is_approved AND NOT OLD.is_approved AND app.is_worker()) EXECUTE FUNCTION app.refuse_worker();

-- A pool that is switched off has no money, and its exchange account is free: a trader or another pool may connect it.
-- A pool that waits for its approval holds its account, or its connection could not be approved.
CREATE FUNCTION app.pool_account_known() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  UPDATE account_holder SET held_until = now()
  WHERE pooled_account_id = NEW.id AND held_until IS NULL AND held_from < now();
  DELETE FROM account_holder WHERE pooled_account_id = NEW.id AND held_until IS NULL;
  IF NEW.bybit_uid IS NOT NULL AND (NEW.is_active OR NOT NEW.is_approved) THEN
    -- Switched on again, it holds the account from now on: what happened there meanwhile is not its own.
    PERFORM app.hold_account('bybit', NEW.bybit_uid,
      CASE WHEN TG_OP = 'UPDATE' AND NEW.bybit_uid IS NOT DISTINCT FROM OLD.bybit_uid THEN now() ELSE NEW.created_at END,
      NULL, NEW.id);
  END IF;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;

CREATE TRIGGER pool_account_held_first AFTER INSERT ON pooled_account FOR EACH ROW WHEN (NEW.bybit_uid IS NOT NULL)
  EXECUTE FUNCTION app.pool_account_known();
CREATE TRIGGER pool_account_held AFTER UPDATE OF bybit_uid, is_active, is_approved ON pooled_account FOR EACH ROW
  WHEN (OLD.bybit_uid IS DISTINCT FROM NEW.bybit_uid
    OR (OLD.is_active OR NOT OLD.is_approved) <> (NEW.is_active OR NOT NEW.is_approved))
  EXECUTE FUNCTION app.pool_account_known();

REVOKE INSERT, UPDATE, DELETE ON pooled_account FROM copydesk_app;
GRANT UPDATE (is_active, minimum_deposit_units, updated_at, fee_basis, has_bot, max_drawdown_percentage,
  breaker_raised_by, breaker_raised_from, breaker_raises) ON pooled_account TO copydesk_app;
GRANT UPDATE (proxy_address, bybit_address_read, bybit_address_read_at, positions_read_until)
  ON pooled_account TO copydesk_worker;

CREATE TABLE pool_member (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  pooled_account_id uuid NOT NULL REFERENCES pooled_account ON DELETE RESTRICT,
  trader_id uuid NOT NULL REFERENCES trader ON DELETE RESTRICT,
  deposit_index integer GENERATED ALWAYS AS IDENTITY UNIQUE,
  deposit_address text CHECK (deposit_address ~ '^0x[0-9a-fA-F]{40}$'),
  capital_units numeric(38, 0) NOT NULL DEFAULT 0 CHECK (capital_units >= 0),
  pending_units numeric(38, 0) NOT NULL DEFAULT 0 CHECK (pending_units >= 0),
  carry_units numeric(38, 0) NOT NULL DEFAULT 0 CHECK (carry_units >= 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (pooled_account_id, trader_id),
  UNIQUE (id, pooled_account_id)
);
COMMENT ON TABLE pool_member IS 'A trader in a pooled account, with its figures from the ledger.';
COMMENT ON COLUMN pool_member.deposit_index IS
  'Path index of the deposit address, in a branch apart from the addresses for invoices.';
COMMENT ON COLUMN pool_member.capital_units IS 'The virtual balance: the balance of pool_capital, kept by a trigger.';
COMMENT ON COLUMN pool_member.pending_units IS
  'Final deposits that the pool has not admitted: the balance of pool_pending, kept by a trigger.';
COMMENT ON COLUMN pool_member.carry_units IS 'Losses that later profits make up for before a fee is charged.';
CREATE INDEX pool_member_by_trader ON pool_member (trader_id);
CREATE INDEX pool_member_by_capital ON pool_member (pooled_account_id, capital_units DESC, id);
CREATE INDEX pool_member_pending ON pool_member (pooled_account_id, capital_units DESC, id) WHERE pending_units > 0;
CREATE UNIQUE INDEX pool_member_by_address ON pool_member (lower(deposit_address));

ALTER TABLE pool_member ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_member FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_member_scope ON pool_member
  USING ((SELECT app.sees_all()) OR EXISTS (SELECT FROM trader t WHERE t.id = pool_member.trader_id))
  WITH CHECK ((SELECT app.sees_all()));

CREATE FUNCTION app.pool_members_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  UPDATE pool_sum s
  SET capital_units = s.capital_units + d.capital, pending_units = s.pending_units + d.pending,
    member_count = s.member_count + d.members, pending_count = s.pending_count + d.pending_members
  FROM (
    SELECT n.pooled_account_id, sum(n.capital_units - o.capital_units) AS capital,
      sum(n.pending_units - o.pending_units) AS pending,
      sum((n.capital_units + n.pending_units > 0)::int - (o.capital_units + o.pending_units > 0)::int)::int AS members,
      sum((n.pending_units > 0)::int - (o.pending_units > 0)::int)::int AS pending_members
    FROM added n JOIN taken o ON o.id = n.id GROUP BY n.pooled_account_id) d
  WHERE s.pooled_account_id = d.pooled_account_id
    AND (d.capital, d.pending, d.members, d.pending_members) IS DISTINCT FROM (0, 0, 0, 0);
  -- A change of the providers locks the member first, so neither of the two misses the other.
  PERFORM app.add_to_provider_sums(ARRAY(SELECT ROW(n.pooled_account_id, p.provider_id, p.is_shared,
      n.capital_units - o.capital_units, n.pending_units - o.pending_units,
      (n.capital_units + n.pending_units > 0)::int - (o.capital_units + o.pending_units > 0)::int)::pool_provider_sum
    FROM added n JOIN taken o ON o.id = n.id JOIN trader_provider p ON p.trader_id = n.trader_id
    WHERE (n.capital_units, n.pending_units) <> (o.capital_units, o.pending_units)));
  PERFORM app.add_to_set_sums(ARRAY(SELECT ROW(s.set_id, n.pooled_account_id,
      n.capital_units - o.capital_units, n.pending_units - o.pending_units,
      (n.capital_units + n.pending_units > 0)::int - (o.capital_units + o.pending_units > 0)::int)::pool_set_sum
    FROM added n JOIN taken o ON o.id = n.id JOIN trader_in_set s ON s.trader_id = n.trader_id
    WHERE (n.capital_units, n.pending_units) <> (o.capital_units, o.pending_units)));
  IF NOT app.bulk_loading() THEN
    INSERT INTO change_event (topic, entity_id, provider_ids)
    SELECT 'pool', n.pooled_account_id, array_agg(DISTINCT p.provider_id)
    FROM (SELECT DISTINCT pooled_account_id FROM added) n JOIN pooled_account a ON a.id = n.pooled_account_id
    JOIN community_provider p ON p.community_id = a.community_id GROUP BY n.pooled_account_id;
  END IF;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;

CREATE TRIGGER pool_members_updated AFTER UPDATE ON pool_member
  REFERENCING NEW TABLE AS added OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION app.pool_members_written();
CREATE TRIGGER pool_member_address_given BEFORE INSERT ON pool_member FOR EACH ROW
  WHEN (NEW.deposit_address IS NOT NULL AND app.is_api()) EXECUTE FUNCTION app.refuse_own_address();

CREATE FUNCTION app.pool_capital_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  changed uuid[] := ARRAY(SELECT DISTINCT n.trader_id FROM added n JOIN taken o ON o.id = n.id
    WHERE n.capital_units <> o.capital_units);
BEGIN
  IF changed <> '{}' AND NOT app.bulk_loading() THEN
    PERFORM app.refresh_traders(changed);
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER pool_capital_changed AFTER UPDATE ON pool_member REFERENCING OLD TABLE AS taken NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION app.pool_capital_written();

CREATE FUNCTION app.member_address_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT app.bulk_loading() THEN
    PERFORM app.refresh_trader_text(ARRAY[NEW.trader_id]);
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER text_written AFTER INSERT OR UPDATE OF deposit_address ON pool_member
  FOR EACH ROW WHEN (NEW.deposit_address IS NOT NULL) EXECUTE FUNCTION app.member_address_written();

-- The figures come from the ledger.
REVOKE UPDATE, DELETE ON pool_member FROM copydesk_app;
GRANT UPDATE (carry_units) ON pool_member TO copydesk_app;
GRANT UPDATE (deposit_address) ON pool_member TO copydesk_worker;

CREATE TABLE pool_sum (
  pooled_account_id uuid PRIMARY KEY REFERENCES pooled_account ON DELETE RESTRICT,
  capital_units numeric(38, 0) NOT NULL DEFAULT 0,
  pending_units numeric(38, 0) NOT NULL DEFAULT 0,
  member_count integer NOT NULL DEFAULT 0,
  pending_count integer NOT NULL DEFAULT 0
);
COMMENT ON TABLE pool_sum IS 'Sums over the members of a pool, kept by a trigger.';
COMMENT ON COLUMN pool_sum.member_count IS 'Members with a virtual balance or a pending deposit.';

ALTER TABLE pool_sum ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_sum FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_sum_scope ON pool_sum USING ((SELECT app.sees_all()));

REVOKE INSERT, UPDATE, DELETE ON pool_sum FROM copydesk_app;

CREATE TABLE pool_deposit (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  pooled_account_id uuid NOT NULL,
  member_id uuid NOT NULL,
  chain_id integer NOT NULL,
  token_address text NOT NULL CHECK (token_address ~ '^0x[0-9a-f]{40}$'),
  transaction_hash text NOT NULL CHECK (transaction_hash ~ '^0x[0-9a-f]{64}$'),
  log_index integer NOT NULL CHECK (log_index >= 0),
  block_number bigint NOT NULL CHECK (block_number >= 0),
  from_address text NOT NULL CHECK (from_address ~ '^0x[0-9a-fA-F]{40}$'),
  amount_units numeric(38,0) NOT NULL CHECK (amount_units > 0),
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'collecting', 'admitted', 'returning', 'returned')),
  transfer_id uuid REFERENCES transfer ON DELETE RESTRICT,
  cycle_id uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  return_order_id uuid,
  CONSTRAINT pool_deposit_chain_id_transaction_hash_log_index_key UNIQUE (chain_id, transaction_hash, log_index),
  CONSTRAINT pool_deposit_member_id_pooled_account_id_fkey FOREIGN KEY (member_id, pooled_account_id)
    REFERENCES pool_member(id, pooled_account_id) ON DELETE RESTRICT,
  CONSTRAINT pool_deposit_check CHECK ((state IN ('admitted', 'returned')) = (ended_at IS NOT NULL)),
  CONSTRAINT pool_deposit_check1 CHECK ((state = 'queued') = (transfer_id IS NULL)),
  CONSTRAINT pool_deposit_check2 CHECK ((state = 'admitted') = (cycle_id IS NOT NULL))
);
COMMENT ON TABLE pool_deposit IS
  'Tokens in a final block at the pool address of a member. A queued one is not part of the pool yet.';
COMMENT ON COLUMN pool_deposit.transfer_id IS 'The transfer that collects or returns it.';
COMMENT ON COLUMN pool_deposit.cycle_id IS 'The cycle that admitted it.';
COMMENT ON COLUMN pool_deposit.return_order_id IS
  'The order to return it. While that one waits, the deposit is not collected.';
CREATE INDEX pool_deposit_by_pool ON pool_deposit (pooled_account_id, created_at DESC, id);
CREATE INDEX pool_deposit_by_member ON pool_deposit (member_id, created_at DESC);
CREATE INDEX pool_deposit_queued ON pool_deposit (member_id) WHERE state = 'queued';
CREATE INDEX pool_deposit_by_transfer ON pool_deposit (transfer_id) WHERE transfer_id IS NOT NULL;
CREATE INDEX pool_deposit_under_way ON pool_deposit (transfer_id)
  WHERE state IN ('collecting', 'returning');

ALTER TABLE pool_deposit ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_deposit FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_deposit_scope ON pool_deposit
  USING ((SELECT app.sees_all()) OR EXISTS (SELECT FROM pool_member m WHERE m.id = pool_deposit.member_id))
  WITH CHECK ((SELECT app.sees_all()));

REVOKE INSERT, UPDATE, DELETE ON pool_deposit FROM copydesk_app;
GRANT UPDATE (return_order_id) ON pool_deposit TO copydesk_app;
GRANT INSERT ON pool_deposit TO copydesk_worker;
GRANT UPDATE (state, transfer_id, cycle_id, ended_at) ON pool_deposit TO copydesk_worker;

CREATE TABLE pool_key (
  pooled_account_id uuid NOT NULL REFERENCES pooled_account ON DELETE RESTRICT,
  field text NOT NULL CHECK (field IN ('api_key', 'secret_key')),
  version integer NOT NULL DEFAULT 1,
  ciphertext bytea NOT NULL,
  wrapped_key bytea,
  master_key_id text,
  fingerprint bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  recipient text CHECK (recipient ~ '^age1[0-9a-z]{58}$'),
  PRIMARY KEY (pooled_account_id, field),
  CONSTRAINT pool_key_sealed_once
    CHECK ((recipient IS NULL) = (wrapped_key IS NOT NULL) AND (wrapped_key IS NULL) = (master_key_id IS NULL))
);
COMMENT ON TABLE pool_key IS
  'The encrypted key of a pool''s exchange account, one row a field. Only workers open it.';
COMMENT ON COLUMN pool_key.recipient IS
  'The public key that the value is sealed to. NULL: a version before sealed it under the master key.';

ALTER TABLE pool_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_key FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_key_scope ON pool_key USING ((SELECT app.sees_all()));

REVOKE ALL ON pool_key FROM copydesk_app;
GRANT SELECT (pooled_account_id, field) ON pool_key TO copydesk_app;
GRANT SELECT ON pool_key TO copydesk_worker;
GRANT UPDATE (ciphertext, wrapped_key, master_key_id, recipient) ON pool_key TO copydesk_worker;

CREATE TABLE pool_exchange_read (
  pooled_account_id uuid PRIMARY KEY REFERENCES pooled_account ON DELETE RESTRICT,
  balance_units numeric(38,0),
  read_at timestamptz,
  problem text CHECK (problem ~ '^[a-z_]+$'),
  tried_at timestamptz NOT NULL,
  open_positions integer,
  open_orders integer,
  CONSTRAINT pool_exchange_read_check CHECK ((balance_units IS NULL) = (read_at IS NULL))
);
COMMENT ON TABLE pool_exchange_read IS
  'USDT in a pool''s exchange account, with the unrealised result of open positions, as last read. While the pool '
  'trades it differs from the books by the unbooked result.';
COMMENT ON COLUMN pool_exchange_read.problem IS 'Why the last attempt failed; the balance is then of an earlier one.';
COMMENT ON COLUMN pool_exchange_read.open_positions IS 'At the last read. NULL: they were not read.';

ALTER TABLE pool_exchange_read ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_exchange_read FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_exchange_read_scope ON pool_exchange_read USING ((SELECT app.sees_all()));

-- What is read at an exchange is written by workers.
REVOKE INSERT, UPDATE, DELETE ON pool_exchange_read FROM copydesk_app;
GRANT INSERT, UPDATE ON pool_exchange_read TO copydesk_worker;

CREATE TABLE pool_provider_sum (
  pooled_account_id uuid NOT NULL REFERENCES pooled_account ON DELETE RESTRICT,
  provider_id uuid NOT NULL REFERENCES provider,
  is_shared boolean NOT NULL,
  capital_units numeric(38, 0) NOT NULL,
  pending_units numeric(38, 0) NOT NULL,
  member_count integer NOT NULL,
  PRIMARY KEY (pooled_account_id, provider_id, is_shared)
);
COMMENT ON TABLE pool_provider_sum IS
  'Sums over the members of a pool that a provider sees, kept by triggers. Members that several providers see have a '
  'row of their own, because staff of several providers count them once.';
CREATE INDEX pool_provider_sum_by_provider ON pool_provider_sum (provider_id);

ALTER TABLE pool_provider_sum ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_provider_sum FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_provider_sum_scope ON pool_provider_sum
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]));

REVOKE INSERT, UPDATE, DELETE ON pool_provider_sum FROM copydesk_app;

CREATE TABLE pool_set_sum (
  set_id integer NOT NULL,
  pooled_account_id uuid NOT NULL REFERENCES pooled_account ON DELETE RESTRICT,
  capital_units numeric(38,0) NOT NULL,
  pending_units numeric(38,0) NOT NULL,
  member_count integer NOT NULL,
  PRIMARY KEY (set_id, pooled_account_id)
);
COMMENT ON TABLE pool_set_sum IS
  'Sums over the shared members of a pool that a set of providers sees, kept by triggers.';
CREATE INDEX pool_set_sum_by_pool ON pool_set_sum (pooled_account_id);

ALTER TABLE pool_set_sum ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_set_sum FORCE ROW LEVEL SECURITY;

REVOKE INSERT, UPDATE, DELETE ON pool_set_sum FROM copydesk_app;

CREATE TABLE pool_evidence (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  pooled_account_id uuid NOT NULL REFERENCES pooled_account ON DELETE RESTRICT,
  cycle_id uuid NOT NULL,
  read_at timestamptz NOT NULL,
  open_positions integer NOT NULL,
  open_orders integer NOT NULL,
  unstored_positions integer NOT NULL,
  balance_units numeric(38,0) NOT NULL,
  other_coins_units numeric(38,0) NOT NULL,
  open_withdrawals integer,
  withdrawal_fee_units numeric(38,0) NOT NULL,
  dust_units numeric(38,0) NOT NULL,
  logged_result_units numeric(38,0),
  detail jsonb NOT NULL DEFAULT '{}'::jsonb,
  foreign_types jsonb CHECK (jsonb_typeof(foreign_types) = 'object'),
  log_read_until timestamptz,
  owed_units numeric(38,0) NOT NULL DEFAULT 0,
  owed_coins_units numeric(38,0) NOT NULL DEFAULT 0,
  left_units numeric(38,0) NOT NULL DEFAULT 0,
  -- What the exchange's log of a pool lists besides trading is nobody's result, and what is owed there is never netted. The
  -- constraints are validated by 1224 to 1226, without a lock that others wait for.
  CONSTRAINT pool_evidence_owed_check CHECK (owed_units >= 0 AND owed_coins_units >= 0 AND left_units >= 0)
);
COMMENT ON TABLE pool_evidence IS 'Reads of a pool''s exchange account that decided something. Rows are never changed.';
COMMENT ON COLUMN pool_evidence.other_coins_units IS
  'The value of other coins, in base units of USDT. Before owed_coins_units was recorded: less those that are owed.';
COMMENT ON COLUMN pool_evidence.open_withdrawals IS 'NULL: the key may not read withdrawals.';
COMMENT ON COLUMN pool_evidence.withdrawal_fee_units IS 'Fees of this cycle''s withdrawals, as far as they can be read.';
COMMENT ON COLUMN pool_evidence.logged_result_units IS
  'The result of trading by the exchange''s own log; NULL: not read.';
COMMENT ON COLUMN pool_evidence.foreign_types IS
  'Sums of the log by types that are not trading, base units as text. NULL: not read, or before this was recorded.';
COMMENT ON COLUMN pool_evidence.log_read_until IS
  'Until when the log was read: the next cycle reads on from here. NULL: not read, or before this was recorded.';
COMMENT ON COLUMN pool_evidence.owed_units IS 'USDT that is owed to the exchange.';
COMMENT ON COLUMN pool_evidence.owed_coins_units IS 'The value of other coins that are owed to the exchange.';
COMMENT ON COLUMN pool_evidence.left_units IS
  'What left since the pause by neither trading nor withdrawing, as a repaid loan.';
CREATE INDEX pool_evidence_by_cycle ON pool_evidence (cycle_id, read_at DESC, id DESC);

ALTER TABLE pool_evidence ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_evidence FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_evidence_scope ON pool_evidence USING ((SELECT app.sees_all()));

-- What is read at an exchange is written by workers.
REVOKE INSERT, UPDATE, DELETE ON pool_evidence FROM copydesk_app;
GRANT INSERT ON pool_evidence TO copydesk_worker;

CREATE TABLE pool_movement (
  pooled_account_id uuid NOT NULL REFERENCES pooled_account ON DELETE RESTRICT,
  kind text NOT NULL CHECK (kind IN ('deposit', 'withdrawal')),
  record_id text NOT NULL,
  transaction_hash text CHECK (transaction_hash ~ '^0x[0-9a-f]{64}$'),
  amount_units numeric(38, 0) NOT NULL CHECK (amount_units >= 0),
  fee_units numeric(38, 0),
  to_address text NOT NULL,
  state text NOT NULL CHECK (state IN ('under_way', 'done', 'ended', 'problem', 'unknown')),
  venue_status text NOT NULL,
  problem text,
  happened_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (pooled_account_id, kind, record_id)
);
COMMENT ON TABLE pool_movement IS
  'Deposits and withdrawals of a pool''s exchange account, as the exchange lists them. The last reading of each stays.';
COMMENT ON COLUMN pool_movement.state IS
  'done: a deposit is credited, a withdrawal has left. ended: it came to nothing. problem: the owner has to act.';
CREATE INDEX pool_movement_by_transaction ON pool_movement (transaction_hash) WHERE transaction_hash IS NOT NULL;
CREATE INDEX pool_movement_by_time ON pool_movement (pooled_account_id, happened_at DESC, record_id);

ALTER TABLE pool_movement ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_movement FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_movement_scope ON pool_movement USING ((SELECT app.sees_all()));

-- What is read at an exchange is written by workers.
REVOKE INSERT, UPDATE, DELETE ON pool_movement FROM copydesk_app;
GRANT INSERT, UPDATE ON pool_movement TO copydesk_worker;

CREATE TABLE pool_withdrawal (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  pooled_account_id uuid NOT NULL,
  member_id uuid NOT NULL,
  amount_units numeric(38,0) CHECK (amount_units > 0),
  state text NOT NULL DEFAULT 'queued'
    CHECK (state IN ('queued', 'reserved', 'paying', 'paid', 'refused', 'cancelled')),
  reserved_units numeric(38,0) CHECK (reserved_units > 0),
  attempt integer NOT NULL DEFAULT 0,
  to_address text CHECK (to_address ~ '^0x[0-9a-fA-F]{40}$'),
  transfer_id uuid REFERENCES transfer ON DELETE RESTRICT,
  cycle_id uuid,
  waits_because text CHECK (waits_because ~ '^[a-z_]+$'),
  refusal text CHECK (refusal ~ '^[a-z_]+$'),
  available_units numeric(38,0),
  request_key text UNIQUE CHECK (btrim(request_key) <> ''),
  requested_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  order_id uuid,
  part_of uuid REFERENCES pool_withdrawal ON DELETE RESTRICT,
  CONSTRAINT pool_withdrawal_member_id_pooled_account_id_fkey FOREIGN KEY (member_id, pooled_account_id)
    REFERENCES pool_member(id, pooled_account_id) ON DELETE RESTRICT,
  CONSTRAINT pool_withdrawal_check CHECK ((state IN ('reserved', 'paying', 'paid')) = (reserved_units IS NOT NULL)),
  CONSTRAINT pool_withdrawal_check1 CHECK ((state IN ('paying', 'paid')) = (transfer_id IS NOT NULL)),
  CONSTRAINT pool_withdrawal_check2 CHECK ((state = 'refused') = (refusal IS NOT NULL)),
  CONSTRAINT pool_withdrawal_check3 CHECK ((state IN ('paid', 'refused', 'cancelled')) = (ended_at IS NOT NULL))
);
COMMENT ON TABLE pool_withdrawal IS 'Requests of members to withdraw. They are paid while the pool is open.';
COMMENT ON COLUMN pool_withdrawal.amount_units IS 'NULL: everything that the member has when it is reserved.';
COMMENT ON COLUMN pool_withdrawal.attempt IS 'Reservations so far; each has its own source in the ledger.';
COMMENT ON COLUMN pool_withdrawal.request_key IS 'Of the caller: the same request is stored once.';
COMMENT ON COLUMN pool_withdrawal.order_id IS
  'The order that allows it. NULL: a program asked, or it is older than orders; an operator confirms it.';
COMMENT ON COLUMN pool_withdrawal.part_of IS
  'The request for everything that it goes on with, once the parts before it are reserved. NULL: it is a request itself.';
CREATE INDEX pool_withdrawal_by_pool ON pool_withdrawal (pooled_account_id, created_at DESC, id);
CREATE INDEX pool_withdrawal_by_member ON pool_withdrawal (member_id, created_at DESC);
CREATE INDEX pool_withdrawal_open ON pool_withdrawal (pooled_account_id, state, created_at)
  WHERE state IN ('queued', 'reserved', 'paying');
CREATE INDEX pool_withdrawal_by_transfer ON pool_withdrawal (transfer_id) WHERE transfer_id IS NOT NULL;
CREATE INDEX pool_withdrawal_parts ON pool_withdrawal (part_of) WHERE part_of IS NOT NULL;
CREATE INDEX pool_withdrawal_under_way ON pool_withdrawal (transfer_id) WHERE state = 'paying';

ALTER TABLE pool_withdrawal ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_withdrawal FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_withdrawal_scope ON pool_withdrawal
  USING ((SELECT app.sees_all()) OR EXISTS (SELECT FROM pool_member m WHERE m.id = pool_withdrawal.member_id))
  WITH CHECK ((SELECT app.sees_all()));

CREATE TRIGGER withdrawal_ordered AFTER INSERT OR UPDATE OF order_id ON pool_withdrawal
  FOR EACH STATEMENT EXECUTE FUNCTION app.announce_work();

-- What became of requests and deposits is written by workers. The API asks, orders, cancels, and takes back what is
-- reserved. Whoever could write the transfer of a paid one could hide what one person had ordered.
REVOKE INSERT, UPDATE, DELETE ON pool_withdrawal FROM copydesk_app;
GRANT INSERT (pooled_account_id, member_id, amount_units, request_key, requested_by, order_id)
  ON pool_withdrawal TO copydesk_app;
GRANT UPDATE (state, reserved_units, cycle_id, waits_because, ended_at, order_id) ON pool_withdrawal TO copydesk_app;
GRANT INSERT ON pool_withdrawal TO copydesk_worker;
GRANT UPDATE (attempt, to_address, transfer_id, refusal, available_units) ON pool_withdrawal TO copydesk_worker;

CREATE TABLE pool_arrival (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  pooled_account_id uuid NOT NULL REFERENCES pooled_account ON DELETE RESTRICT,
  cycle_id uuid NOT NULL,
  chain_id integer NOT NULL,
  token_address text NOT NULL CHECK (token_address ~ '^0x[0-9a-f]{40}$'),
  transaction_hash text NOT NULL CHECK (transaction_hash ~ '^0x[0-9a-f]{64}$'),
  log_index integer NOT NULL CHECK (log_index >= 0),
  block_number bigint NOT NULL CHECK (block_number >= 0),
  from_address text NOT NULL CHECK (from_address ~ '^0x[0-9a-fA-F]{40}$'),
  amount_units numeric(38,0) NOT NULL CHECK (amount_units > 0),
  state text NOT NULL CHECK (state IN ('returned', 'bounced', 'unexplained', 'resolved')),
  seen_at timestamptz NOT NULL DEFAULT now(),
  resolved_at timestamptz,
  decided_units numeric(38,0) NOT NULL DEFAULT 0,
  foreign_units numeric(38,0) NOT NULL DEFAULT 0,
  CONSTRAINT pool_arrival_chain_id_transaction_hash_log_index_key UNIQUE (chain_id, transaction_hash, log_index),
  CONSTRAINT pool_arrival_check CHECK ((state = 'resolved') = (resolved_at IS NOT NULL)),
  CONSTRAINT pool_arrival_decided CHECK (decided_units >= 0 AND decided_units <= amount_units),
  CONSTRAINT pool_arrival_foreign CHECK (foreign_units >= 0 AND foreign_units <= amount_units),
  CONSTRAINT pool_arrival_resolved CHECK (state <> 'resolved' OR decided_units = amount_units)
);
COMMENT ON TABLE pool_arrival IS
  'Tokens in a final block at a pool''s proxy wallet that none of our own transfers brought.';
COMMENT ON COLUMN pool_arrival.state IS
  'returned: a withdrawal from the exchange. bounced: a funding transfer that it sent back. unexplained: neither is known.';
COMMENT ON COLUMN pool_arrival.decided_units IS 'The part whose end two people decided. The rest is unexplained.';
COMMENT ON COLUMN pool_arrival.foreign_units IS
  'The part that came from the exchange and was not the pool''s own: two people decide about it.';
CREATE INDEX pool_arrival_by_pool ON pool_arrival (pooled_account_id, seen_at DESC, id);
CREATE INDEX pool_arrival_unexplained ON pool_arrival (pooled_account_id) WHERE state = 'unexplained';

ALTER TABLE pool_arrival ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_arrival FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_arrival_scope ON pool_arrival USING ((SELECT app.sees_all()));

REVOKE INSERT, UPDATE, DELETE ON pool_arrival FROM copydesk_app;
GRANT UPDATE (state, resolved_at, decided_units) ON pool_arrival TO copydesk_app;
GRANT INSERT ON pool_arrival TO copydesk_worker;
GRANT UPDATE (foreign_units) ON pool_arrival TO copydesk_worker;

CREATE TABLE pool_position (
  pooled_account_id uuid NOT NULL REFERENCES pooled_account ON DELETE RESTRICT,
  venue_id text NOT NULL,
  cycle_id uuid NOT NULL,
  symbol text NOT NULL,
  side text NOT NULL CHECK (side IN ('long', 'short')),
  size numeric,
  entry_price numeric,
  exit_price numeric,
  result numeric,
  closed_at timestamptz NOT NULL,
  PRIMARY KEY (pooled_account_id, venue_id)
);
COMMENT ON TABLE pool_position IS 'Closed positions of a pool''s exchange account.';
COMMENT ON COLUMN pool_position.cycle_id IS 'The cycle in which it was read: it explains that cycle''s result.';
COMMENT ON COLUMN pool_position.result IS 'USD, net of fees where the exchange says so; NULL: unknown.';
CREATE INDEX pool_position_by_cycle ON pool_position (cycle_id);
CREATE INDEX pool_position_by_time ON pool_position (pooled_account_id, closed_at DESC);

ALTER TABLE pool_position ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_position FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_position_scope ON pool_position USING ((SELECT app.sees_all()));

-- What is read at an exchange is written by workers.
REVOKE INSERT, UPDATE, DELETE ON pool_position FROM copydesk_app;
GRANT INSERT ON pool_position TO copydesk_worker;

CREATE TABLE pool_arrival_decision (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  arrival_id uuid NOT NULL REFERENCES pool_arrival ON DELETE RESTRICT,
  kind text NOT NULL CHECK (kind IN ('is_return', 'sent_back', 'covers_shortfall')),
  amount_units numeric(38,0) NOT NULL CHECK (amount_units > 0),
  to_address text CHECK (to_address ~ '^0x[0-9a-fA-F]{40}$'),
  evidence text NOT NULL CHECK (btrim(evidence) <> ''),
  state text NOT NULL DEFAULT 'proposed'
    CHECK (state IN ('proposed', 'sending', 'done', 'failed', 'withdrawn', 'undone')),
  requested_by_id text NOT NULL,
  requested_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  decided_by text,
  transfer_id uuid UNIQUE REFERENCES transfer ON DELETE RESTRICT,
  ended_at timestamptz,
  movement_record_id text,
  booked_cycle_id uuid,
  undone_by text,
  undone_reason text CHECK (btrim(undone_reason) <> ''),
  decided_by_id text,
  CONSTRAINT pool_arrival_decision_check CHECK ((kind = 'sent_back') = (to_address IS NOT NULL)),
  CONSTRAINT pool_arrival_decision_check1 CHECK (kind = 'sent_back' OR transfer_id IS NULL),
  CONSTRAINT pool_arrival_decision_check2 CHECK ((state = 'proposed') = (decided_by IS NULL)),
  CONSTRAINT pool_arrival_decision_check3 CHECK ((state IN ('proposed', 'sending')) = (ended_at IS NULL)),
  CONSTRAINT pool_arrival_decision_movement CHECK (movement_record_id IS NULL OR kind = 'is_return'),
  CONSTRAINT pool_arrival_decision_undone CHECK (state <> 'undone' OR kind = 'is_return'),
  CONSTRAINT pool_arrival_decision_undone_by CHECK ((state = 'undone') = (undone_by IS NOT NULL)),
  CONSTRAINT pool_arrival_decision_undone_reason CHECK ((state = 'undone') = (undone_reason IS NOT NULL))
);
COMMENT ON TABLE pool_arrival_decision IS
  'What becomes of an unexplained arrival, or a part of it: one super admin proposes it and another one confirms it.';
COMMENT ON COLUMN pool_arrival_decision.state IS
  'sending: confirmed, and its transfer is under way. failed: that transfer ended without moving anything.';
COMMENT ON COLUMN pool_arrival_decision.decided_by IS 'Who confirmed or withdrew it.';
COMMENT ON COLUMN pool_arrival_decision.movement_record_id IS
  'The withdrawal that the exchange lists and that this arrival belongs to; null: two people decided without one.';
COMMENT ON COLUMN pool_arrival_decision.booked_cycle_id IS 'The cycle whose result the returned money is part of.';
COMMENT ON COLUMN pool_arrival_decision.decided_by_id IS 'Who confirmed it. NULL: before this was recorded, or not confirmed.';
CREATE UNIQUE INDEX pool_arrival_decision_open ON pool_arrival_decision (arrival_id)
  WHERE state IN ('proposed', 'sending');
CREATE INDEX pool_arrival_decision_by_arrival ON pool_arrival_decision (arrival_id, created_at DESC);
CREATE INDEX pool_arrival_decision_by_movement ON pool_arrival_decision (movement_record_id)
  WHERE movement_record_id IS NOT NULL;
CREATE INDEX pool_arrival_decision_by_booked_cycle ON pool_arrival_decision (booked_cycle_id)
  WHERE booked_cycle_id IS NOT NULL;

ALTER TABLE pool_arrival_decision ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_arrival_decision FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_arrival_decision_scope ON pool_arrival_decision USING ((SELECT app.sees_all()));

CREATE FUNCTION app.refuse_dependent_decision() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  IF app.is_independent(NEW.decided_by_id, NEW.requested_by_id) IS NOT TRUE THEN
    RAISE EXCEPTION 'a decision about an arrival is confirmed by an independent, confirmed super admin'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER arrival_decision_inserted BEFORE INSERT ON pool_arrival_decision FOR EACH ROW
  WHEN (NEW.state <> 'proposed' AND NEW.movement_record_id IS NULL AND app.is_api())
  EXECUTE FUNCTION app.refuse_dependent_decision();
CREATE TRIGGER arrival_decision_confirmed BEFORE UPDATE OF state ON pool_arrival_decision FOR EACH ROW
  WHEN (NEW.state IN ('sending', 'done') AND NEW.movement_record_id IS NULL AND app.is_api())
  EXECUTE FUNCTION app.refuse_dependent_decision();
-- Where the exchange lists the withdrawal of an arrival, nobody has to decide. What was confirmed, workers carry out.
CREATE TRIGGER no_worker_confirms BEFORE UPDATE OF state ON pool_arrival_decision
  FOR EACH ROW WHEN (OLD.state <> 'sending' AND NEW.state IN ('sending', 'done') AND NEW.movement_record_id IS NULL
    AND app.is_worker()) EXECUTE FUNCTION app.refuse_worker();
CREATE TRIGGER no_worker_decides BEFORE INSERT ON pool_arrival_decision
  FOR EACH ROW WHEN (NEW.state <> 'proposed' AND app.is_worker()) EXECUTE FUNCTION app.refuse_worker();

REVOKE UPDATE, DELETE ON pool_arrival_decision FROM copydesk_app;
GRANT UPDATE (state, decided_by, transfer_id, ended_at, booked_cycle_id, undone_by, undone_reason, decided_by_id)
  ON pool_arrival_decision TO copydesk_app;

-- What a call needs to know from the exchange of a pool: the API asks, and a worker answers.
CREATE TABLE pool_exchange_request (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL CHECK (kind IN ('connection', 'replacement', 'description', 'check', 'withdrawal', 'address')),
  -- No references: the pool of a connection does not exist yet, and a question keeps nothing from being deleted.
  pooled_account_id uuid NOT NULL,
  community_id uuid,
  api_key bytea CHECK (length(api_key) <= 4096),
  secret_key bytea CHECK (length(secret_key) <= 4096),
  recipient text CHECK (recipient ~ '^age1[0-9a-z]{58}$'),
  api_key_fingerprint bytea CHECK (length(api_key_fingerprint) = 32),
  secret_key_fingerprint bytea CHECK (length(secret_key_fingerprint) = 32),
  requested_by text NOT NULL DEFAULT app.caller(),
  requested_at timestamptz NOT NULL DEFAULT now(),
  claimed_until timestamptz,
  answered_at timestamptz,
  account jsonb,
  uid text,
  address text CHECK (address ~ '^0x[0-9a-fA-F]{40}$'),
  refusal text CHECK (refusal ~ '^[a-z_]+$'),
  problem text CHECK (problem ~ '^[a-z_]+$'),
  is_retryable boolean,
  used_at timestamptz,
  region text CHECK (region ~ '^[a-z]{2,8}$'),
  CONSTRAINT pool_exchange_request_answer
    CHECK ((problem IS NULL) = (is_retryable IS NULL) AND (answered_at IS NOT NULL OR account IS NULL AND uid IS NULL
    AND address IS NULL AND refusal IS NULL AND problem IS NULL AND used_at IS NULL)),
  CONSTRAINT pool_exchange_request_key
    CHECK ((kind IN ('connection', 'replacement')) = (api_key IS NOT NULL)
    AND (api_key IS NULL) = (secret_key IS NULL) AND (api_key IS NULL) = (recipient IS NULL)
    AND (api_key IS NULL) = (api_key_fingerprint IS NULL) AND (api_key IS NULL) = (secret_key_fingerprint IS NULL)
    AND (kind = 'connection') = (community_id IS NOT NULL))
);
COMMENT ON TABLE pool_exchange_request IS
  'A question to the exchange of a pool, which a worker answers: the API opens no key of a pool. Answers have no secret. Removed after a quarter of an hour.';
COMMENT ON COLUMN pool_exchange_request.pooled_account_id IS 'Of a connection: the id that the pool will have.';
COMMENT ON COLUMN pool_exchange_request.api_key IS
  'The new key, sealed for its place in pool_key. The answer is about this one, and no other is stored.';
COMMENT ON COLUMN pool_exchange_request.claimed_until IS
  'Until then a worker asks the exchange; another takes over after that.';
COMMENT ON COLUMN pool_exchange_request.account IS 'What the exchange says about the key.';
COMMENT ON COLUMN pool_exchange_request.refusal IS 'Why a key must not be a pool''s; NULL: it may.';
COMMENT ON COLUMN pool_exchange_request.problem IS 'Why the exchange did not answer; NULL: it did.';
COMMENT ON COLUMN pool_exchange_request.used_at IS 'A pool was connected, or its key replaced, by this answer: once.';
COMMENT ON COLUMN pool_exchange_request.region IS
  'The regional platform of Bybit that knows the new key; null: its main one.';
CREATE INDEX pool_exchange_request_open ON pool_exchange_request (requested_at) WHERE answered_at IS NULL;
-- For their removal.
CREATE INDEX pool_exchange_request_by_time ON pool_exchange_request (requested_at);

ALTER TABLE pool_exchange_request ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_exchange_request FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_exchange_request_scope ON pool_exchange_request USING ((SELECT app.sees_all()));

CREATE TRIGGER pool_exchange_requested AFTER INSERT ON pool_exchange_request FOR EACH STATEMENT
  EXECUTE FUNCTION app.announce_work();

REVOKE ALL ON pool_exchange_request FROM copydesk_app;
GRANT SELECT (id, answered_at, account, uid, address, refusal, problem, is_retryable, region)
  ON pool_exchange_request TO copydesk_app;
GRANT INSERT (id, kind, pooled_account_id, community_id, api_key, secret_key, recipient, api_key_fingerprint,
  secret_key_fingerprint) ON pool_exchange_request TO copydesk_app;
GRANT SELECT, DELETE ON pool_exchange_request TO copydesk_worker;
GRANT UPDATE (claimed_until, answered_at, account, uid, address, refusal, problem, is_retryable, region)
  ON pool_exchange_request TO copydesk_worker;

ALTER TABLE account_holder ADD CONSTRAINT account_holder_pooled_account_id_fkey FOREIGN KEY (pooled_account_id)
  REFERENCES pooled_account(id) ON DELETE CASCADE;

CREATE FUNCTION app.order_pool_return(of_chain integer, token text, new_id uuid, deposit uuid) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO transfer (id, kind, wallet_id, community_id, to_address, token_address, amount_units)
  SELECT new_id, 'pool_return', w.id, p.community_id, t.external_wallet_address, token, d.amount_units
  FROM pool_deposit d
  JOIN pooled_account p ON p.id = d.pooled_account_id
  JOIN pool_member m ON m.id = d.member_id JOIN trader t ON t.id = m.trader_id
  JOIN chain_wallet w ON w.chain_id = of_chain AND w.role = 'pool_deposit' AND w.owner_id = d.member_id
  WHERE d.id = deposit AND d.state = 'queued';
  UPDATE pool_deposit d SET state = 'returning', transfer_id = new_id
  WHERE d.id = deposit AND d.state = 'queued';
END
$$;
COMMENT ON FUNCTION app.order_pool_return(integer, text, uuid, uuid) IS
  'Orders the return of a queued deposit to the present address of its member.';
GRANT EXECUTE ON FUNCTION app.order_pool_return(integer, text, uuid, uuid) TO copydesk_app;

CREATE FUNCTION app.order_sending_back(of_chain integer, token text, new_id uuid, decision uuid) RETURNS void
  LANGUAGE sql SECURITY DEFINER
  SET search_path = public, pg_temp
BEGIN ATOMIC
  INSERT INTO transfer (id, kind, wallet_id, community_id, to_address, token_address, amount_units)
  SELECT new_id, 'pool_send_back', w.id, p.community_id, e.to_address, token, e.amount_units
  FROM pool_arrival_decision e
  JOIN pool_arrival a ON a.id = e.arrival_id
  JOIN pooled_account p ON p.id = a.pooled_account_id
  JOIN chain_wallet w ON w.chain_id = of_chain AND w.role = 'pool_proxy' AND w.owner_id = p.id
  WHERE e.id = decision AND e.kind = 'sent_back';
END;
COMMENT ON FUNCTION app.order_sending_back(integer, text, uuid, uuid) IS
  'Orders that money is sent back as a decision says, from the proxy wallet of its pool.';
GRANT EXECUTE ON FUNCTION app.order_sending_back(integer, text, uuid, uuid) TO copydesk_app;

-- The address that funding goes to follows from an order that another person approved. The owner of the database sets it
-- directly: seeds and imports.
CREATE FUNCTION app.set_funding_address(approved_order uuid, hold_hours integer) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  changed boolean;
BEGIN
  UPDATE pooled_account p SET bybit_deposit_address = l.to_address, bybit_deposit_address_by = o.requested_by,
    bybit_deposit_address_from = o.decided_at
      + CASE WHEN o.act = 'pool_connection' THEN interval '0' ELSE make_interval(hours => greatest(hold_hours, 24)) END
  FROM money_order o JOIN money_order_line l ON l.order_id = o.id
  WHERE o.id = approved_order AND o.act IN ('pool_funding_address', 'pool_connection') AND o.state = 'approved'
    AND o.decided_by_id <> o.requested_by_id AND l.subject_id = p.id AND p.id = o.pooled_account_id
    AND l.to_address IS NOT NULL AND o.decided_at > now() - interval '1 hour';
  changed := FOUND;
  RETURN changed;
END
$$;
COMMENT ON FUNCTION app.set_funding_address(uuid, integer) IS
  'Sets the address that funding goes to, as an order says that two people made within the hour. One that was read at the account when it was connected is usable at once.';
GRANT EXECUTE ON FUNCTION app.set_funding_address(uuid, integer) TO copydesk_app;

CREATE FUNCTION app.approve_pool(approved_order uuid) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE pooled_account p SET is_approved = true, is_active = true, updated_at = now()
  FROM money_order o
  WHERE o.id = approved_order AND o.act = 'pool_connection' AND o.state = 'approved'
    AND o.decided_by_id <> o.requested_by_id AND p.id = o.pooled_account_id AND NOT p.is_approved;
  RETURN FOUND;
END
$$;
COMMENT ON FUNCTION app.approve_pool(uuid) IS 'A pool takes part from now on, as two people ordered.';
GRANT EXECUTE ON FUNCTION app.approve_pool(uuid) TO copydesk_app;

-- Sums of pools are kept by triggers, and nobody else may delete them.
CREATE FUNCTION app.drop_unapproved_pool(pool uuid) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM 1 FROM pooled_account p WHERE p.id = pool AND NOT p.is_approved FOR UPDATE;
  IF FOUND THEN
    DELETE FROM pool_key WHERE pooled_account_id = pool;
    -- What was read of the account, in case somebody tried to start it.
    DELETE FROM pool_evidence e USING harvest_cycle h WHERE h.id = e.cycle_id AND h.pooled_account_id = pool;
    DELETE FROM pool_movement WHERE pooled_account_id = pool;
    DELETE FROM pool_position WHERE pooled_account_id = pool;
    DELETE FROM pool_exchange_read WHERE pooled_account_id = pool;
    DELETE FROM harvest_cycle WHERE pooled_account_id = pool;
    DELETE FROM pool_sum WHERE pooled_account_id = pool;
    DELETE FROM pooled_account WHERE id = pool;
  END IF;
END
$$;
COMMENT ON FUNCTION app.drop_unapproved_pool(uuid) IS
  'Removes a pool whose connection nobody approved. It has had neither members nor money.';
GRANT EXECUTE ON FUNCTION app.drop_unapproved_pool(uuid) TO copydesk_app;

-- The answer to a question that the caller asked: a key without a fault, within five minutes, once.
CREATE FUNCTION app.use_pool_answer(request uuid, wanted text) RETURNS pool_exchange_request LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
DECLARE
  answer pool_exchange_request;
BEGIN
  UPDATE pool_exchange_request r SET used_at = now()
  WHERE r.id = request AND r.kind = wanted AND r.requested_by = app.caller() AND r.used_at IS NULL
    AND r.answered_at > now() - interval '5 minutes' AND r.problem IS NULL AND r.refusal IS NULL AND r.uid IS NOT NULL
  RETURNING * INTO answer;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the request % has no answer that can be used', request
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN answer;
END
$$;

CREATE FUNCTION app.store_pool_key(answer pool_exchange_request) RETURNS void LANGUAGE sql
  SET search_path = public, pg_temp AS $$
  INSERT INTO pool_key (pooled_account_id, field, ciphertext, recipient, fingerprint) VALUES
    (answer.pooled_account_id, 'api_key', answer.api_key, answer.recipient, answer.api_key_fingerprint),
    (answer.pooled_account_id, 'secret_key', answer.secret_key, answer.recipient, answer.secret_key_fingerprint);
$$;

CREATE FUNCTION app.connect_pool(request uuid, minimum_units numeric, basis text, bot boolean) RETURNS uuid
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  answer pool_exchange_request := app.use_pool_answer(request, 'connection');
BEGIN
  INSERT INTO pooled_account (id, community_id, minimum_deposit_units, fee_basis, has_bot, is_active, is_approved,
    bybit_uid, bybit_region, bybit_address_read, bybit_address_read_at)
  VALUES (answer.pooled_account_id, answer.community_id, minimum_units, basis, bot, false, false,
    answer.uid, answer.region, answer.address, CASE WHEN answer.address IS NOT NULL THEN now() END);
  INSERT INTO harvest_cycle (pooled_account_id, cycle_number) VALUES (answer.pooled_account_id, 1);
  PERFORM app.store_pool_key(answer);
  RETURN answer.pooled_account_id;
END
$$;
COMMENT ON FUNCTION app.connect_pool(uuid, numeric, text, boolean) IS
  'Stores a pool with the account, the address and the key that a worker described, inactive and not approved.';
GRANT EXECUTE ON FUNCTION app.connect_pool(uuid, numeric, text, boolean) TO copydesk_app;

CREATE FUNCTION app.replace_pool_key(request uuid) RETURNS uuid LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  answer pool_exchange_request := app.use_pool_answer(request, 'replacement');
BEGIN
  -- Accounts of two platforms may have one number.
  PERFORM 1 FROM pooled_account p WHERE p.id = answer.pooled_account_id AND p.bybit_uid = answer.uid
    AND p.bybit_region IS NOT DISTINCT FROM answer.region;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the key of the request % is of another account', request
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  DELETE FROM pool_key WHERE pooled_account_id = answer.pooled_account_id;
  PERFORM app.store_pool_key(answer);
  -- It is due at once; what the last read found stays until then.
  UPDATE pool_exchange_read SET tried_at = to_timestamp(0) WHERE pooled_account_id = answer.pooled_account_id;
  RETURN answer.pooled_account_id;
END
$$;
COMMENT ON FUNCTION app.replace_pool_key(uuid) IS
  'Stores another key of the same exchange account, as a worker described it.';
GRANT EXECUTE ON FUNCTION app.replace_pool_key(uuid) TO copydesk_app;
