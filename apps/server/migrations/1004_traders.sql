-- Traders, their exchange accounts, and the sums that each provider sees of them. Pooled accounts are at the end.

CREATE TABLE trader (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  community_id uuid NOT NULL REFERENCES community,
  selected_provider_id uuid REFERENCES provider,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'connected', 'delinquent')),
  suggested_delinquent_at timestamptz,
  reference_number text UNIQUE CHECK (reference_number <> ''),
  name text,
  email text,
  telegram_username text,
  telegram_user_id text,
  language text NOT NULL DEFAULT 'en' CHECK (language IN ('en', 'es', 'ar', 'pl', 'ru')),
  external_wallet_address text CHECK (external_wallet_address ~ '^0x[0-9a-fA-F]{40}$'),
  referral_code text NOT NULL UNIQUE,
  referred_by_trader_id uuid REFERENCES trader ON DELETE SET NULL CHECK (referred_by_trader_id <> id),
  deposit_index integer GENERATED ALWAYS AS IDENTITY UNIQUE,
  deposit_address text CHECK (deposit_address ~ '^0x[0-9a-fA-F]{40}$'),
  last_updated_by text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  aum numeric(28, 8),
  aum_read_at timestamptz,
  account_count integer NOT NULL DEFAULT 0,
  tab text GENERATED ALWAYS AS (
    CASE WHEN status <> 'pending' THEN status WHEN account_count > 0 THEN 'inbox' END) STORED,
  reference_sort text GENERATED ALWAYS AS (lower(coalesce(reference_number, ''))) STORED,
  handle_sort text GENERATED ALWAYS AS (lower(coalesce(nullif(telegram_username, ''), name, ''))) STORED,
  books_opened_at timestamptz DEFAULT now(),
  aum_rank float8 NOT NULL GENERATED ALWAYS AS (coalesce(aum::float8, '-Infinity')) STORED
);
COMMENT ON TABLE trader IS 'Traders, each in one community.';
COMMENT ON COLUMN trader.deposit_index IS
  'Path index of the deposit address below the platform''s master public key (BIP-44).';
COMMENT ON COLUMN trader.aum IS
  'Sum over the equity of all accounts, kept by app.refresh_traders like account_count. NULL: no equity was read '
  'yet.';
COMMENT ON COLUMN trader.tab IS
  'The tab of the list. An index serves each order of each tab, forwards and backwards.';
COMMENT ON COLUMN trader.books_opened_at IS
  'When the imported payments of this trader were compared with the chain. NULL: not yet. A trader created here '
  'has none to compare.';
COMMENT ON COLUMN trader.aum_rank IS
  'The nearest float8 to aum, for pages that start after a given row: PostgreSQL uses no index for a range of '
  'numeric under row-level security, because its comparisons are not leakproof; those of float8 are. A rank never '
  'orders rows differently than the amount, and two ranks are equal only where the amounts differ by less than one '
  'part in 10^15.';
CREATE INDEX trader_by_tab_reference ON trader (tab, reference_sort, id);
CREATE INDEX trader_by_tab_handle ON trader (tab, handle_sort, id);
CREATE INDEX trader_by_created ON trader (created_at, id);
CREATE INDEX trader_by_provider ON trader (selected_provider_id);
CREATE INDEX trader_by_referrer ON trader (referred_by_trader_id) WHERE referred_by_trader_id IS NOT NULL;
-- Not a UNIQUE constraint. A trader gets its address under a lock that leaves its key free, since concurrent inserts
-- hold the key through their foreign keys. Changing a column that a foreign key could reference would lock the key as
-- well; a partial index cannot be referenced.
CREATE UNIQUE INDEX trader_deposit_address_key ON trader (deposit_address) WHERE deposit_address IS NOT NULL;
-- The chain reports addresses in any case of letters.
CREATE INDEX trader_by_deposit_address ON trader (lower(deposit_address)) WHERE deposit_address IS NOT NULL;
CREATE INDEX trader_books_to_open ON trader (id) WHERE books_opened_at IS NULL;
-- The orders of the list over all tabs.
CREATE INDEX trader_by_reference ON trader (reference_sort, id);
CREATE INDEX trader_by_handle ON trader (handle_sort, id);
CREATE INDEX trader_by_community ON trader (community_id, tab) INCLUDE (aum, account_count);
-- The API returns AUM as a number, which has as many digits as its rank: no second column is needed to break ties.
CREATE INDEX trader_by_aum ON trader (aum_rank DESC, id);
CREATE INDEX trader_by_tab_aum ON trader (tab, aum_rank DESC, id) INCLUDE (aum);

ALTER TABLE trader ENABLE ROW LEVEL SECURITY;
ALTER TABLE trader FORCE ROW LEVEL SECURITY;
-- A new trader has no trader_provider row before the trigger has run: staff may create traders of their own providers.
CREATE POLICY trader_creation ON trader FOR INSERT
  WITH CHECK (selected_provider_id = ANY ((SELECT app.provider_ids())::uuid[])
    AND EXISTS (SELECT FROM community c WHERE c.id = trader.community_id));

CREATE TRIGGER payout_address_changed AFTER UPDATE OF external_wallet_address ON trader
  FOR EACH ROW WHEN (lower(NEW.external_wallet_address) IS DISTINCT FROM lower(OLD.external_wallet_address)
    AND current_user = 'copydesk_app')
  EXECUTE FUNCTION app.note_payout_address('trader', 'id', 'external_wallet_address');

CREATE TABLE exchange_account (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  trader_id uuid NOT NULL REFERENCES trader ON DELETE RESTRICT,
  provider_id uuid NOT NULL REFERENCES provider,
  exchange text NOT NULL CHECK (exchange IN ('bybit', 'binance', 'okx', 'kucoin', 'hyperliquid')),
  acc_uid text NOT NULL,
  account_type text CHECK (account_type IN ('master', 'subaccount')),
  master_address text,
  agent_address text,
  may_withdraw boolean NOT NULL DEFAULT false,
  equity numeric(28, 8),
  equity_read_at timestamptz,
  read_error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  connected_at timestamptz NOT NULL DEFAULT now(),
  removed_at timestamptz,
  CHECK ((exchange = 'hyperliquid') = (master_address IS NOT NULL))
);
COMMENT ON TABLE exchange_account IS 'Accounts of traders on exchanges, connected through a provider.';
COMMENT ON COLUMN exchange_account.removed_at IS
  'A removed account stays while positions refer to it, without credentials and out of every sum.';
CREATE INDEX exchange_account_by_trader ON exchange_account (trader_id, provider_id);
CREATE INDEX exchange_account_by_provider ON exchange_account (provider_id, exchange, trader_id);
CREATE INDEX exchange_account_by_exchange ON exchange_account (exchange, trader_id);
CREATE UNIQUE INDEX exchange_account_once ON exchange_account (exchange, acc_uid) WHERE removed_at IS NULL;

ALTER TABLE exchange_account ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_account FORCE ROW LEVEL SECURITY;
-- A row with the scope's own provider and a foreign trader would bring that trader into the scope, since staff of a
-- provider see every trader with an account there. So the trader must be visible already.
CREATE POLICY exchange_account_scope ON exchange_account
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]))
  WITH CHECK ((SELECT app.sees_all()) OR (provider_id = ANY ((SELECT app.provider_ids())::uuid[])
    AND EXISTS (SELECT FROM trader t WHERE t.id = exchange_account.trader_id)));

CREATE TABLE exchange_credential (
  account_id uuid NOT NULL REFERENCES exchange_account ON DELETE CASCADE,
  provider_id uuid NOT NULL REFERENCES provider,
  field text NOT NULL CHECK (field IN ('api_key', 'secret_key', 'passphrase', 'agent_private_key')),
  version integer NOT NULL DEFAULT 1,
  ciphertext bytea NOT NULL,
  wrapped_key bytea NOT NULL,
  master_key_id text NOT NULL,
  masked text NOT NULL,
  fingerprint bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  revealed_at timestamptz,
  revealed_by text,
  revealed_by_id text,
  PRIMARY KEY (account_id, field),
  CHECK (num_nonnulls(revealed_at, revealed_by, revealed_by_id) IN (0, 3))
);
COMMENT ON TABLE exchange_credential IS
  'Encrypted credentials, one row a field: the value under its own key, that key wrapped by the master key.';
COMMENT ON COLUMN exchange_credential.fingerprint IS
  'Keyed hash that finds a key connected twice without decrypting anything.';
COMMENT ON COLUMN exchange_credential.revealed_at IS
  'When a person last revealed the secret; the audit has every time.';
CREATE UNIQUE INDEX exchange_credential_once ON exchange_credential (fingerprint) WHERE field = 'api_key';
CREATE INDEX exchange_credential_by_provider ON exchange_credential (provider_id);

ALTER TABLE exchange_credential ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_credential FORCE ROW LEVEL SECURITY;
-- The policy of the account checks its trader.
CREATE POLICY exchange_credential_scope ON exchange_credential
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]))
  WITH CHECK ((SELECT app.sees_all()) OR (provider_id = ANY ((SELECT app.provider_ids())::uuid[])
    AND EXISTS (SELECT FROM exchange_account a WHERE a.id = exchange_credential.account_id)));

-- Writers of a row need not know the columns copied from the trader.
CREATE FUNCTION app.trader_seen() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  SELECT community_id, reference_sort, handle_sort, created_at
  INTO NEW.community_id, NEW.reference_sort, NEW.handle_sort, NEW.created_at
  FROM trader WHERE id = NEW.trader_id;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NEW;
END
$$;

CREATE TABLE trader_provider (
  trader_id uuid NOT NULL REFERENCES trader ON DELETE CASCADE,
  provider_id uuid NOT NULL REFERENCES provider,
  account_count integer NOT NULL,
  aum numeric(28, 8),
  aum_read_at timestamptz,
  tab text,
  is_shared boolean NOT NULL,
  community_id uuid NOT NULL,
  aum_rank float8 NOT NULL GENERATED ALWAYS AS (coalesce(aum::float8, '-Infinity')) STORED,
  reference_sort text NOT NULL,
  handle_sort text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (trader_id, provider_id)
);
COMMENT ON TABLE trader_provider IS
  'The providers that see a trader (its selected one, and those of its accounts), with the sums that each may see. '
  'Kept by app.refresh_traders; scope, tabs and balances of staff read nothing else.';
COMMENT ON COLUMN trader_provider.is_shared IS
  'Whether other providers see the trader as well. Staff with several providers need sums of these traders only.';
COMMENT ON COLUMN trader_provider.community_id IS
  'Copied from the trader: sums of staff by community would otherwise look up each trader, once for its community '
  'and once for its policy (79,000 traders of three providers: 0.8 s; with this 0.06 s).';
COMMENT ON COLUMN trader_provider.aum_rank IS 'See trader.aum_rank.';
COMMENT ON COLUMN trader_provider.reference_sort IS
  'Copied from the trader, like handle_sort and created_at. Without them, lists of staff by reference number, name '
  'or age walked all traders and looked each up: a page 10,000 rows deep took 0.2 s at 100,000 traders, and the '
  'count of a search in all reference numbers 0.3 s.';
CREATE INDEX trader_provider_shared ON trader_provider (trader_id, provider_id) INCLUDE (tab, aum) WHERE is_shared;
CREATE INDEX trader_provider_by_aum ON trader_provider (provider_id, tab, aum_rank DESC, trader_id)
  INCLUDE (aum, account_count, community_id);
CREATE INDEX trader_provider_alone ON trader_provider (provider_id, tab, aum_rank DESC, trader_id)
  INCLUDE (aum, account_count, community_id)
  WHERE NOT is_shared;
CREATE INDEX trader_provider_of_any_tab ON trader_provider (provider_id, aum_rank DESC, trader_id)
  INCLUDE (tab, is_shared, aum);
-- One index for each order, over all tabs: a change of the AUM writes each of them. The included columns are those that
-- a walk filters by.
CREATE INDEX trader_provider_by_reference ON trader_provider (provider_id, reference_sort, trader_id)
  INCLUDE (tab, is_shared);
CREATE INDEX trader_provider_by_handle ON trader_provider (provider_id, handle_sort, trader_id)
  INCLUDE (tab, is_shared);
CREATE INDEX trader_provider_by_created ON trader_provider (provider_id, created_at, trader_id)
  INCLUDE (tab, is_shared);

ALTER TABLE trader_provider ENABLE ROW LEVEL SECURITY;
ALTER TABLE trader_provider FORCE ROW LEVEL SECURITY;
CREATE POLICY trader_provider_scope ON trader_provider
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]));

CREATE TRIGGER trader_seen BEFORE INSERT ON trader_provider
  FOR EACH ROW WHEN (NEW.reference_sort IS NULL) EXECUTE FUNCTION app.trader_seen();

-- The policy reads no column but id: lists walk an index and fetch only the rows that they show. PostgreSQL estimates a
-- policy as if the whole table were read, and would collect every trader of the scope before the first row of a page
-- (170 ms at 100,000 traders). OFFSET 0 prevents that: each row is looked up as it is met.
CREATE POLICY trader_scope ON trader
  USING ((SELECT app.sees_all()) OR EXISTS (
    SELECT FROM trader_provider tp
    WHERE tp.trader_id = trader.id AND tp.provider_id = ANY ((SELECT app.provider_ids())::uuid[]) OFFSET 0))
  WITH CHECK ((SELECT app.sees_all()) OR EXISTS (
    SELECT FROM trader_provider tp
    WHERE tp.trader_id = trader.id AND tp.provider_id = ANY ((SELECT app.provider_ids())::uuid[])));

-- Columns copied into trader_provider follow the trader.
CREATE FUNCTION app.trader_moved() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  UPDATE trader_provider SET community_id = NEW.community_id, reference_sort = NEW.reference_sort,
    handle_sort = NEW.handle_sort, created_at = NEW.created_at
  WHERE trader_id = NEW.id;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
CREATE TRIGGER trader_moved AFTER UPDATE OF community_id, reference_number, telegram_username, name, created_at
  ON trader
  FOR EACH ROW WHEN ((NEW.community_id, NEW.reference_sort, NEW.handle_sort, NEW.created_at)
    IS DISTINCT FROM (OLD.community_id, OLD.reference_sort, OLD.handle_sort, OLD.created_at))
  EXECUTE FUNCTION app.trader_moved();

-- Recomputes, for these traders, the sums over their accounts and the providers that see them, and records the change
-- for those who saw them before or see them now. Removed accounts do not count. Locking the traders first makes
-- concurrent changes of two accounts of one trader add up: the later one computes from what the earlier one committed.
-- (NO KEY: each already holds the key of the trader through its foreign key; a stronger lock would deadlock.)
CREATE FUNCTION app.refresh_traders(trader_ids uuid[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
  seen_before jsonb;
BEGIN
  PERFORM FROM trader WHERE id = ANY (trader_ids) ORDER BY id FOR NO KEY UPDATE;
  SELECT jsonb_object_agg(s.trader_id, s.providers) INTO seen_before
  FROM (SELECT trader_id, jsonb_agg(provider_id) AS providers
        FROM trader_provider WHERE trader_id = ANY (trader_ids) GROUP BY trader_id) s;

  UPDATE trader t
  SET aum = s.aum, aum_read_at = s.read_at, account_count = s.accounts
  FROM (SELECT w.id, sum(a.equity) AS aum, min(a.equity_read_at) AS read_at, count(a.id)::int AS accounts
        FROM unnest(trader_ids) w (id)
        LEFT JOIN exchange_account a ON a.trader_id = w.id AND a.removed_at IS NULL GROUP BY w.id) s
  WHERE t.id = s.id
    AND (t.aum, t.aum_read_at, t.account_count) IS DISTINCT FROM (s.aum, s.read_at, s.accounts);

  DELETE FROM trader_provider tp
  USING trader t
  WHERE tp.trader_id = ANY (trader_ids) AND t.id = tp.trader_id
    AND t.selected_provider_id IS DISTINCT FROM tp.provider_id
    AND NOT EXISTS (SELECT FROM exchange_account a
                    WHERE a.trader_id = tp.trader_id AND a.provider_id = tp.provider_id AND a.removed_at IS NULL);

  INSERT INTO trader_provider AS tp (trader_id, provider_id, account_count, aum, aum_read_at, tab, is_shared)
  SELECT t.id, p.provider_id, count(a.id), sum(a.equity), min(a.equity_read_at),
         CASE WHEN t.status <> 'pending' THEN t.status WHEN count(a.id) > 0 THEN 'inbox' END,
         count(*) OVER (PARTITION BY t.id) > 1
  FROM trader t
  CROSS JOIN LATERAL (
    SELECT t.selected_provider_id AS provider_id WHERE t.selected_provider_id IS NOT NULL
    UNION SELECT ea.provider_id FROM exchange_account ea WHERE ea.trader_id = t.id AND ea.removed_at IS NULL) p
  LEFT JOIN exchange_account a
    ON a.trader_id = t.id AND a.provider_id = p.provider_id AND a.removed_at IS NULL
  WHERE t.id = ANY (trader_ids)
  GROUP BY t.id, p.provider_id
  ON CONFLICT (trader_id, provider_id) DO UPDATE
  SET account_count = excluded.account_count, aum = excluded.aum,
      aum_read_at = excluded.aum_read_at, tab = excluded.tab, is_shared = excluded.is_shared
  WHERE (tp.account_count, tp.aum, tp.aum_read_at, tp.tab, tp.is_shared) IS DISTINCT FROM
    (excluded.account_count, excluded.aum, excluded.aum_read_at, excluded.tab, excluded.is_shared);

  INSERT INTO change_event (topic, entity_id, provider_ids)
  SELECT 'trader', w.id, ARRAY(
    SELECT provider_id FROM trader_provider WHERE trader_id = w.id
    UNION SELECT p::uuid FROM jsonb_array_elements_text(seen_before -> w.id::text) p)
  FROM unnest(trader_ids) w (id);
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;

-- These two call app.refresh_traders, which the application itself may not call: they run with the owner's rights.
CREATE FUNCTION app.trader_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT app.bulk_loading() THEN
    PERFORM app.refresh_traders(ARRAY[NEW.id]);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER trader_written AFTER INSERT OR UPDATE OF
    status, community_id, selected_provider_id, reference_number, name, email, telegram_username,
    telegram_user_id, language, external_wallet_address, referral_code, referred_by_trader_id
  ON trader FOR EACH ROW EXECUTE FUNCTION app.trader_written();

-- A removed account without positions is deleted with its trader; one with positions keeps the trader.
CREATE FUNCTION app.trader_removed() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO change_event (topic, entity_id, provider_ids)
  VALUES ('trader', OLD.id, ARRAY(SELECT provider_id FROM trader_provider WHERE trader_id = OLD.id));
  DELETE FROM closed_position_day d
  USING exchange_account a
  WHERE a.id = d.account_id AND a.trader_id = OLD.id AND a.removed_at IS NOT NULL
    AND NOT EXISTS (SELECT FROM closed_position c WHERE c.account_id = a.id);
  DELETE FROM exchange_account a
  WHERE a.trader_id = OLD.id AND a.removed_at IS NOT NULL
    AND NOT EXISTS (SELECT FROM closed_position c WHERE c.account_id = a.id);
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN OLD;
END
$$;
CREATE TRIGGER trader_removed BEFORE DELETE ON trader FOR EACH ROW EXECUTE FUNCTION app.trader_removed();

-- A transition table belongs to one kind of change, hence a trigger for each.
CREATE FUNCTION app.accounts_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  touched uuid[];
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT trader_id) INTO touched FROM new_accounts;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(DISTINCT trader_id) INTO touched FROM old_accounts;
  ELSE
    SELECT array_agg(DISTINCT trader_id) INTO touched
    FROM (SELECT trader_id FROM new_accounts UNION SELECT trader_id FROM old_accounts) both_sides;
  END IF;
  IF touched IS NOT NULL THEN
    PERFORM app.refresh_traders(touched);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER accounts_inserted AFTER INSERT ON exchange_account
  REFERENCING NEW TABLE AS new_accounts FOR EACH STATEMENT EXECUTE FUNCTION app.accounts_written();
CREATE TRIGGER accounts_updated AFTER UPDATE ON exchange_account
  REFERENCING OLD TABLE AS old_accounts NEW TABLE AS new_accounts
  FOR EACH STATEMENT EXECUTE FUNCTION app.accounts_written();
CREATE TRIGGER accounts_deleted AFTER DELETE ON exchange_account
  REFERENCING OLD TABLE AS old_accounts FOR EACH STATEMENT EXECUTE FUNCTION app.accounts_written();

CREATE TABLE pooled_account (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  community_id uuid NOT NULL UNIQUE REFERENCES community,
  is_active boolean NOT NULL DEFAULT true,
  minimum_deposit_units numeric(38, 0) NOT NULL CHECK (minimum_deposit_units > 0),
  proxy_address text NOT NULL CHECK (proxy_address ~ '^0x[0-9a-fA-F]{40}$'),
  proxy_balance_units numeric(38, 0) NOT NULL DEFAULT 0 CHECK (proxy_balance_units >= 0),
  bybit_uid text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE pooled_account IS 'The shared exchange account of a community, visible with the community.';

ALTER TABLE pooled_account ENABLE ROW LEVEL SECURITY;
ALTER TABLE pooled_account FORCE ROW LEVEL SECURITY;
CREATE POLICY pooled_account_scope ON pooled_account
  USING ((SELECT app.sees_all()) OR EXISTS (SELECT FROM community c WHERE c.id = pooled_account.community_id));

CREATE TABLE harvest_cycle (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  pooled_account_id uuid NOT NULL REFERENCES pooled_account ON DELETE RESTRICT,
  cycle_number integer NOT NULL CHECK (cycle_number > 0),
  status text NOT NULL DEFAULT 'stopped' CHECK (status IN
    ('harvesting', 'stopped', 'starting_harvesting', 'stopping_harvesting', 'awaiting_bybit_withdrawal',
     'processing_invoices', 'failed')),
  version integer NOT NULL DEFAULT 1,
  deadline_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (pooled_account_id, cycle_number)
);
COMMENT ON TABLE harvest_cycle IS 'Harvest cycles of a pooled account.';
CREATE UNIQUE INDEX harvest_cycle_current ON harvest_cycle (pooled_account_id) WHERE ended_at IS NULL;

ALTER TABLE harvest_cycle ENABLE ROW LEVEL SECURITY;
ALTER TABLE harvest_cycle FORCE ROW LEVEL SECURITY;
CREATE POLICY harvest_cycle_scope ON harvest_cycle
  USING ((SELECT app.sees_all()) OR EXISTS (
    SELECT FROM pooled_account p WHERE p.id = harvest_cycle.pooled_account_id));

CREATE TABLE pool_balance (
  pooled_account_id uuid NOT NULL REFERENCES pooled_account ON DELETE RESTRICT,
  trader_id uuid NOT NULL REFERENCES trader ON DELETE RESTRICT,
  virtual_units numeric(38, 0) NOT NULL DEFAULT 0 CHECK (virtual_units >= 0),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (pooled_account_id, trader_id)
);
COMMENT ON TABLE pool_balance IS 'The virtual balance of a trader in a pooled account, visible with the trader.';
CREATE INDEX pool_balance_by_trader ON pool_balance (trader_id);

ALTER TABLE pool_balance ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_balance FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_balance_scope ON pool_balance
  USING ((SELECT app.sees_all()) OR EXISTS (SELECT FROM trader t WHERE t.id = pool_balance.trader_id));

CREATE TABLE pool_transaction (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  pooled_account_id uuid NOT NULL REFERENCES pooled_account ON DELETE RESTRICT,
  trader_id uuid NOT NULL REFERENCES trader ON DELETE RESTRICT,
  cycle_id uuid NOT NULL REFERENCES harvest_cycle ON DELETE RESTRICT,
  kind text NOT NULL CHECK (kind IN ('deposit', 'withdrawal', 'profit', 'loss')),
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'completed', 'failed')),
  amount_units numeric(38, 0) NOT NULL CHECK (amount_units > 0),
  transaction_hash text CHECK (transaction_hash ~ '^0x[0-9a-f]{64}$'),
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE pool_transaction IS 'Deposits, withdrawals, profits and losses of a trader in a pooled account.';
CREATE INDEX pool_transaction_by_pool ON pool_transaction (pooled_account_id, created_at DESC);
CREATE INDEX pool_transaction_by_trader ON pool_transaction (trader_id);
CREATE INDEX pool_transaction_by_cycle ON pool_transaction (cycle_id);

ALTER TABLE pool_transaction ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_transaction FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_transaction_scope ON pool_transaction
  USING ((SELECT app.sees_all()) OR EXISTS (SELECT FROM trader t WHERE t.id = pool_transaction.trader_id));

REVOKE INSERT, UPDATE, DELETE ON trader_provider FROM copydesk_app;
