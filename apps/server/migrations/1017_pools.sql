-- Pooled accounts: members, their requests, and the sums over them. Money is in the ledger; the figures of members and
-- pools follow postings, so that lists read rows instead of journals.
--
-- Visibility. A pool and its cycles are visible with the community, and a member with its trader. Totals of a pool, its
-- wallet and its exchange account are for super admins.

-- Pools came with the demo data only, and their balances had no journals.
DROP TABLE pool_transaction;
DROP TABLE pool_balance;
TRUNCATE harvest_cycle, pooled_account;

ALTER TABLE change_event
  DROP CONSTRAINT change_event_topic_check,
  ADD CONSTRAINT change_event_topic_check
    CHECK (topic IN ('trader', 'community', 'provider', 'payout', 'invoice', 'payment', 'pool'));

-- Owned by a pool: pool_proxy, pool_transit, pool_exchange, pool_shortfall; pool_returned, pool_fees_due,
-- pool_unexplained. Owned by a member: pool_deposit_wallet; pool_capital, pool_pending.
ALTER TABLE ledger_account
  DROP CONSTRAINT ledger_account_kind_check,
  ADD CONSTRAINT ledger_account_kind_check CHECK (kind IN (
    'deposit_wallet', 'community_wallet', 'gas_wallet', 'receivable', 'gas_spent',
    'trader_deposit', 'billed', 'held', 'payable_mark', 'payable_community', 'payable_community_referrer',
    'payable_trader_referrer', 'payable_hexmount', 'payable_sixk', 'payable_tip', 'platform',
    'pool_proxy', 'pool_transit', 'pool_exchange', 'pool_shortfall', 'pool_deposit_wallet',
    'pool_capital', 'pool_pending', 'pool_returned', 'pool_fees_due', 'pool_unexplained'));
-- A generated column gets another expression only by being added again before PostgreSQL 17.
ALTER TABLE ledger_account DROP COLUMN side;
ALTER TABLE ledger_account ADD COLUMN side smallint NOT NULL GENERATED ALWAYS AS (
  CASE WHEN kind IN ('deposit_wallet', 'community_wallet', 'gas_wallet', 'receivable', 'gas_spent',
      'pool_proxy', 'pool_transit', 'pool_exchange', 'pool_shortfall', 'pool_deposit_wallet')
    THEN 1 ELSE -1 END) STORED;
COMMENT ON COLUMN ledger_account.side IS 'Follows from the kind, like allow_negative: an insert cannot choose it.';

ALTER TABLE community
  ADD COLUMN owner_name text CHECK (owner_name <> ''),
  ADD COLUMN owner_telegram_id bigint,
  ADD COLUMN owner_language text CHECK (owner_language IN ('en', 'es', 'ar', 'pl', 'ru'));
COMMENT ON COLUMN community.owner_telegram_id IS
  'The person who withdraws from the exchange when a harvest starts; the platform notifies this chat.';

ALTER TABLE pooled_account
  DROP COLUMN proxy_balance_units,
  ADD COLUMN proxy_index integer GENERATED ALWAYS AS IDENTITY UNIQUE,
  ADD CONSTRAINT pooled_account_uid_once UNIQUE (bybit_uid),
  ADD COLUMN fee_basis text NOT NULL DEFAULT 'net_carry' CHECK (fee_basis IN ('net_carry', 'gross_winners')),
  ALTER COLUMN proxy_address DROP NOT NULL;
COMMENT ON COLUMN pooled_account.proxy_index IS 'Path index of the proxy wallet below the seed (BIP-44).';
COMMENT ON COLUMN pooled_account.proxy_address IS 'NULL until the worker, which has the seed, sets it up.';
DROP POLICY pooled_account_scope ON pooled_account;
CREATE POLICY pooled_account_scope ON pooled_account
  USING ((SELECT app.sees_all()) OR EXISTS (SELECT FROM community c WHERE c.id = pooled_account.community_id))
  WITH CHECK ((SELECT app.sees_all()));

ALTER TABLE harvest_cycle
  ADD COLUMN step text NOT NULL DEFAULT 'trading',
  ADD COLUMN since timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN failed_from text,
  ADD COLUMN reason text CHECK (reason ~ '^[a-z_]+$'),
  ADD CONSTRAINT harvest_cycle_step_check CHECK (CASE coalesce(failed_from, status)
    WHEN 'stopped' THEN step = 'trading'
    WHEN 'starting_harvesting' THEN step IN ('pausing', 'checking')
    WHEN 'awaiting_bybit_withdrawal' THEN step = 'withdrawing'
    WHEN 'processing_invoices' THEN step IN ('valuing', 'opening')
    WHEN 'harvesting' THEN step IN ('open', 'closing')
    WHEN 'stopping_harvesting' THEN step IN ('planning', 'sending', 'crediting', 'moving', 'resuming')
    ELSE false END),
  ADD CONSTRAINT harvest_cycle_failed_check CHECK ((status = 'failed') = (failed_from IS NOT NULL)),
  ADD CONSTRAINT harvest_cycle_failed_why CHECK (status <> 'failed' OR reason IS NOT NULL);
COMMENT ON COLUMN harvest_cycle.since IS 'When the status changed last.';
COMMENT ON COLUMN harvest_cycle.failed_from IS 'The status in which it failed; its step stays.';
COMMENT ON COLUMN harvest_cycle.reason IS 'A code: why it failed or waits.';
DROP POLICY harvest_cycle_scope ON harvest_cycle;
CREATE POLICY harvest_cycle_scope ON harvest_cycle
  USING ((SELECT app.sees_all()) OR EXISTS (
    SELECT FROM pooled_account p WHERE p.id = harvest_cycle.pooled_account_id))
  WITH CHECK ((SELECT app.sees_all()));

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
  amount_units numeric(38, 0) NOT NULL CHECK (amount_units > 0),
  state text NOT NULL DEFAULT 'queued'
    CHECK (state IN ('queued', 'collecting', 'admitted', 'returning', 'returned')),
  transfer_id uuid REFERENCES transfer ON DELETE RESTRICT,
  cycle_id uuid REFERENCES harvest_cycle ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  UNIQUE (chain_id, transaction_hash, log_index),
  FOREIGN KEY (member_id, pooled_account_id) REFERENCES pool_member (id, pooled_account_id) ON DELETE RESTRICT,
  CHECK ((state IN ('admitted', 'returned')) = (ended_at IS NOT NULL)),
  CHECK ((state = 'queued') = (transfer_id IS NULL)),
  CHECK ((state = 'admitted') = (cycle_id IS NOT NULL))
);
COMMENT ON TABLE pool_deposit IS
  'Tokens in a final block at the pool address of a member. A queued one is not part of the pool yet.';
COMMENT ON COLUMN pool_deposit.transfer_id IS 'The transfer that collects or returns it.';
COMMENT ON COLUMN pool_deposit.cycle_id IS 'The cycle that admitted it.';
CREATE INDEX pool_deposit_by_pool ON pool_deposit (pooled_account_id, created_at DESC, id);
CREATE INDEX pool_deposit_by_member ON pool_deposit (member_id, created_at DESC);
CREATE INDEX pool_deposit_queued ON pool_deposit (member_id) WHERE state = 'queued';
CREATE INDEX pool_deposit_by_transfer ON pool_deposit (transfer_id) WHERE transfer_id IS NOT NULL;

ALTER TABLE pool_deposit ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_deposit FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_deposit_scope ON pool_deposit
  USING ((SELECT app.sees_all()) OR EXISTS (SELECT FROM pool_member m WHERE m.id = pool_deposit.member_id))
  WITH CHECK ((SELECT app.sees_all()));

CREATE TABLE pool_key (
  pooled_account_id uuid NOT NULL REFERENCES pooled_account ON DELETE RESTRICT,
  field text NOT NULL CHECK (field IN ('api_key', 'secret_key')),
  version integer NOT NULL DEFAULT 1,
  ciphertext bytea NOT NULL,
  wrapped_key bytea NOT NULL,
  master_key_id text NOT NULL,
  fingerprint bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (pooled_account_id, field)
);
COMMENT ON TABLE pool_key IS
  'The encrypted key of a pool''s exchange account, one row a field: the value under its own key, that key wrapped by '
  'the master key.';
CREATE UNIQUE INDEX pool_key_once ON pool_key (fingerprint) WHERE field = 'api_key';

ALTER TABLE pool_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_key FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_key_scope ON pool_key USING ((SELECT app.sees_all()));

CREATE TABLE pool_exchange_read (
  pooled_account_id uuid PRIMARY KEY REFERENCES pooled_account ON DELETE RESTRICT,
  balance_units numeric(38, 0),
  read_at timestamptz,
  problem text CHECK (problem ~ '^[a-z_]+$'),
  tried_at timestamptz NOT NULL,
  CHECK ((balance_units IS NULL) = (read_at IS NULL))
);
COMMENT ON TABLE pool_exchange_read IS
  'USDT in a pool''s exchange account, with the unrealised result of open positions, as last read. While the pool '
  'trades it differs from the books by the unbooked result.';
COMMENT ON COLUMN pool_exchange_read.problem IS 'Why the last attempt failed; the balance is then of an earlier one.';

ALTER TABLE pool_exchange_read ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_exchange_read FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_exchange_read_scope ON pool_exchange_read USING ((SELECT app.sees_all()));

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

CREATE TABLE pool_set_sum (
  set_id integer NOT NULL REFERENCES provider_set ON DELETE CASCADE,
  pooled_account_id uuid NOT NULL REFERENCES pooled_account ON DELETE RESTRICT,
  capital_units numeric(38, 0) NOT NULL,
  pending_units numeric(38, 0) NOT NULL,
  member_count integer NOT NULL,
  PRIMARY KEY (set_id, pooled_account_id)
);
COMMENT ON TABLE pool_set_sum IS
  'Sums over the shared members of a pool that a set of providers sees, kept by triggers.';
CREATE INDEX pool_set_sum_by_pool ON pool_set_sum (pooled_account_id);

ALTER TABLE pool_set_sum ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_set_sum FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_set_sum_scope ON pool_set_sum
  USING ((SELECT app.sees_all()) OR set_id = (SELECT app.provider_set()));

-- The figures of members follow their accounts. Most postings touch no pool and end at the first query.
CREATE FUNCTION app.post_to_members() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  UPDATE pool_member m
  SET capital_units = m.capital_units + d.capital, pending_units = m.pending_units + d.pending
  FROM (
    SELECT c.owner_id, coalesce(sum(-a.amount) FILTER (WHERE c.kind = 'pool_capital'), 0) AS capital,
      coalesce(sum(-a.amount) FILTER (WHERE c.kind = 'pool_pending'), 0) AS pending
    FROM added a JOIN ledger_account c ON c.id = a.account_id
    WHERE c.kind IN ('pool_capital', 'pool_pending') GROUP BY c.owner_id) d
  WHERE m.id = d.owner_id;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
CREATE TRIGGER posting_added_to_members AFTER INSERT ON posting
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.post_to_members();

-- Adds amounts to the sums of providers, each row once and in one order.
CREATE FUNCTION app.add_to_provider_sums(changes pool_provider_sum[]) RETURNS void
  LANGUAGE sql
  SET search_path = public, pg_temp AS $$
  INSERT INTO pool_provider_sum AS s
    (pooled_account_id, provider_id, is_shared, capital_units, pending_units, member_count)
  SELECT c.pooled_account_id, c.provider_id, c.is_shared, sum(c.capital_units), sum(c.pending_units),
    sum(c.member_count)::int
  FROM unnest(changes) c GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (pooled_account_id, provider_id, is_shared) DO UPDATE
  SET capital_units = s.capital_units + excluded.capital_units,
    pending_units = s.pending_units + excluded.pending_units,
    member_count = s.member_count + excluded.member_count
$$;

-- The same for sets. A set that is being removed takes its sums along.
CREATE FUNCTION app.add_to_set_sums(changes pool_set_sum[]) RETURNS void
  LANGUAGE sql
  SET search_path = public, pg_temp AS $$
  INSERT INTO pool_set_sum AS s (set_id, pooled_account_id, capital_units, pending_units, member_count)
  SELECT c.set_id, c.pooled_account_id, sum(c.capital_units), sum(c.pending_units), sum(c.member_count)::int
  FROM unnest(changes) c JOIN provider_set v ON v.id = c.set_id GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (set_id, pooled_account_id) DO UPDATE
  SET capital_units = s.capital_units + excluded.capital_units,
    pending_units = s.pending_units + excluded.pending_units,
    member_count = s.member_count + excluded.member_count
$$;

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

-- A trader that another provider sees now, or no longer, takes its virtual balances along. Most statements change the AUM
-- of traders that are in no pool, and end at the first query.
CREATE FUNCTION app.pool_providers_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text;
  traders uuid[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    traders := ARRAY(SELECT trader_id FROM added);
  ELSIF TG_OP = 'DELETE' THEN
    traders := ARRAY(SELECT trader_id FROM taken);
  ELSE
    traders := ARRAY(SELECT n.trader_id FROM added n JOIN taken o ON (o.trader_id, o.provider_id) = (n.trader_id, n.provider_id)
      WHERE n.is_shared <> o.is_shared);
  END IF;
  IF traders = '{}' THEN
    RETURN NULL;
  END IF;
  caller_scope := app.open_scope();
  PERFORM FROM pool_member WHERE trader_id = ANY (traders) ORDER BY id FOR UPDATE;
  IF TG_OP <> 'INSERT' THEN
    PERFORM app.add_to_provider_sums(ARRAY(SELECT ROW(m.pooled_account_id, o.provider_id, o.is_shared,
        -m.capital_units, -m.pending_units, -(m.capital_units + m.pending_units > 0)::int)::pool_provider_sum
      FROM taken o JOIN pool_member m ON m.trader_id = o.trader_id
      WHERE o.trader_id = ANY (traders) AND m.capital_units + m.pending_units > 0));
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM app.add_to_provider_sums(ARRAY(SELECT ROW(m.pooled_account_id, n.provider_id, n.is_shared,
        m.capital_units, m.pending_units, (m.capital_units + m.pending_units > 0)::int)::pool_provider_sum
      FROM added n JOIN pool_member m ON m.trader_id = n.trader_id
      WHERE n.trader_id = ANY (traders) AND m.capital_units + m.pending_units > 0));
  END IF;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
CREATE TRIGGER trader_provider_added_to_pools AFTER INSERT ON trader_provider
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.pool_providers_written();
CREATE TRIGGER trader_provider_changed_in_pools AFTER UPDATE ON trader_provider
  REFERENCING NEW TABLE AS added OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION app.pool_providers_written();
CREATE TRIGGER trader_provider_removed_from_pools AFTER DELETE ON trader_provider
  REFERENCING OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION app.pool_providers_written();

-- The same when a set begins or ends to see a shared trader.
CREATE FUNCTION app.pool_sets_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM FROM pool_member WHERE trader_id IN (SELECT trader_id FROM added) ORDER BY id FOR UPDATE;
    PERFORM app.add_to_set_sums(ARRAY(SELECT ROW(n.set_id, m.pooled_account_id, m.capital_units, m.pending_units,
        (m.capital_units + m.pending_units > 0)::int)::pool_set_sum
      FROM added n JOIN pool_member m ON m.trader_id = n.trader_id WHERE m.capital_units + m.pending_units > 0));
  ELSE
    PERFORM FROM pool_member WHERE trader_id IN (SELECT trader_id FROM taken) ORDER BY id FOR UPDATE;
    PERFORM app.add_to_set_sums(ARRAY(SELECT ROW(o.set_id, m.pooled_account_id, -m.capital_units, -m.pending_units,
        -(m.capital_units + m.pending_units > 0)::int)::pool_set_sum
      FROM taken o JOIN pool_member m ON m.trader_id = o.trader_id WHERE m.capital_units + m.pending_units > 0));
  END IF;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
CREATE TRIGGER trader_in_set_added_to_pools AFTER INSERT ON trader_in_set
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.pool_sets_written();
CREATE TRIGGER trader_in_set_removed_from_pools AFTER DELETE ON trader_in_set
  REFERENCING OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION app.pool_sets_written();

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

-- Pools and their cycles announce changes to the providers of their community.
CREATE FUNCTION app.pool_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
  pool uuid := CASE TG_TABLE_NAME WHEN 'pooled_account' THEN NEW.id ELSE (to_jsonb(NEW) ->> 'pooled_account_id')::uuid END;
BEGIN
  IF NOT app.bulk_loading() THEN
    INSERT INTO change_event (topic, entity_id, provider_ids)
    SELECT 'pool', pool, coalesce(array_agg(p.provider_id) FILTER (WHERE p.provider_id IS NOT NULL), '{}')
    FROM pooled_account a LEFT JOIN community_provider p ON p.community_id = a.community_id WHERE a.id = pool;
  END IF;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
CREATE TRIGGER pooled_account_written AFTER INSERT OR UPDATE ON pooled_account
  FOR EACH ROW EXECUTE FUNCTION app.pool_written();
CREATE TRIGGER harvest_cycle_written AFTER INSERT OR UPDATE ON harvest_cycle
  FOR EACH ROW EXECUTE FUNCTION app.pool_written();

-- Addresses of ours for one more kind of wallet.
ALTER TABLE chain_wallet
  DROP CONSTRAINT chain_wallet_role_check,
  ADD CONSTRAINT chain_wallet_role_check CHECK (role IN ('gas', 'community', 'deposit', 'pool_deposit', 'pool_proxy'));

CREATE OR REPLACE FUNCTION app.is_platform_address(wanted text) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
  found boolean;
BEGIN
  SELECT EXISTS (SELECT FROM trader WHERE lower(deposit_address) = lower(wanted) AND deposit_address IS NOT NULL)
    OR EXISTS (SELECT FROM community WHERE lower(internal_wallet_address) = lower(wanted))
    OR EXISTS (SELECT FROM pooled_account WHERE lower(proxy_address) = lower(wanted))
    OR EXISTS (SELECT FROM pool_member WHERE lower(deposit_address) = lower(wanted))
    OR EXISTS (SELECT FROM chain_wallet WHERE lower(address) = lower(wanted))
    OR EXISTS (SELECT FROM chain_cursor WHERE token_address = lower(wanted)) INTO found;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN found;
END
$$;

REVOKE INSERT, UPDATE, DELETE ON pool_sum, pool_provider_sum, pool_set_sum FROM copydesk_app;
-- The figures come from the ledger.
REVOKE UPDATE, DELETE ON pool_member FROM copydesk_app;
GRANT UPDATE (deposit_address, carry_units) ON pool_member TO copydesk_app;
REVOKE UPDATE, DELETE ON pool_deposit FROM copydesk_app;
GRANT UPDATE (state, transfer_id, cycle_id, ended_at) ON pool_deposit TO copydesk_app;
