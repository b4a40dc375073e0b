-- Exchanges, traders as their providers see them, accounts and credentials, and who held an account when.

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
  referred_by_trader_id uuid REFERENCES trader ON DELETE SET NULL,
  deposit_index integer GENERATED ALWAYS AS IDENTITY UNIQUE,
  deposit_address text CHECK (deposit_address ~ '^0x[0-9a-fA-F]{40}$'),
  last_updated_by text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  aum numeric(28,8),
  aum_read_at timestamptz,
  account_count integer NOT NULL DEFAULT 0,
  tab text GENERATED ALWAYS AS (CASE WHEN status <> 'pending' THEN status WHEN account_count > 0 THEN 'inbox'
    ELSE NULL::text END) STORED,
  reference_sort text GENERATED ALWAYS AS (lower(COALESCE(reference_number, ''))) STORED,
  handle_sort text GENERATED ALWAYS AS (lower(COALESCE(NULLIF(telegram_username, ''), name, ''))) STORED,
  books_opened_at timestamptz DEFAULT now(),
  aum_rank double precision NOT NULL
    GENERATED ALWAYS AS (COALESCE(aum::double precision, '-Infinity'::double precision)) STORED,
  source text CHECK (source IN ('staff', 'program', 'bot')),
  telegram_set_at timestamptz NOT NULL DEFAULT now(),
  pool_capital numeric(28,8) NOT NULL DEFAULT 0,
  reference_clash boolean NOT NULL DEFAULT false,
  CONSTRAINT trader_check CHECK (referred_by_trader_id <> id)
);
COMMENT ON TABLE trader IS 'Traders, each in one community.';
COMMENT ON COLUMN trader.deposit_index IS
  'Path index of the deposit address below the platform''s master public key (BIP-44).';
COMMENT ON COLUMN trader.aum IS
  'Sum over the equity of all accounts, and pool_capital; kept by app.refresh_traders like account_count. NULL: no equity was read yet, and no capital.';
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
COMMENT ON COLUMN trader.source IS
  'Who added the trader: staff in the console, a program with a service token, or the bot of its community. NULL: added before this was recorded.';
COMMENT ON COLUMN trader.telegram_set_at IS
  'When telegram_user_id was last set or changed, by whomever; the database writes it. Of traders of before: when this was first recorded.';
COMMENT ON COLUMN trader.pool_capital IS 'Virtual balances in pools, USD, cut off after eight decimals. Part of aum.';
COMMENT ON COLUMN trader.reference_clash IS
  'Whether an older trader had this reference number in other letters before these were compared.';
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
-- A buyer is known by its Telegram id.
CREATE INDEX trader_by_telegram ON trader (telegram_user_id, community_id) WHERE telegram_user_id <> '';
CREATE INDEX trader_by_joining ON trader (community_id, created_at) INCLUDE (source, referred_by_trader_id);
CREATE UNIQUE INDEX trader_reference_unique ON trader (reference_sort)
  WHERE reference_number IS NOT NULL AND NOT reference_clash;
CREATE INDEX trader_suggested ON trader (suggested_delinquent_at)
  WHERE suggested_delinquent_at IS NOT NULL AND status <> 'delinquent';

ALTER TABLE trader ENABLE ROW LEVEL SECURITY;
ALTER TABLE trader FORCE ROW LEVEL SECURITY;
-- A new trader has no trader_provider row before the trigger has run: staff may create traders of their own providers.
CREATE POLICY trader_creation ON trader FOR INSERT
  WITH CHECK (selected_provider_id = ANY ((SELECT app.provider_ids())::uuid[])
    AND EXISTS (SELECT FROM community c WHERE c.id = trader.community_id));

CREATE TABLE trader_provider (
  trader_id uuid NOT NULL REFERENCES trader ON DELETE CASCADE,
  provider_id uuid NOT NULL REFERENCES provider,
  account_count integer NOT NULL,
  aum numeric(28,8),
  aum_read_at timestamptz,
  tab text,
  is_shared boolean NOT NULL,
  community_id uuid NOT NULL,
  aum_rank double precision NOT NULL
    GENERATED ALWAYS AS (COALESCE(aum::double precision, '-Infinity'::double precision)) STORED,
  reference_sort text NOT NULL,
  handle_sort text NOT NULL,
  created_at timestamptz NOT NULL,
  pool_capital numeric(28,8) NOT NULL DEFAULT 0,
  PRIMARY KEY (trader_id, provider_id)
);
COMMENT ON TABLE trader_provider IS
  'The providers that see a trader (its selected one, and those of its accounts), with the sums that each may see. '
  'Kept by app.refresh_traders; scope, tabs and balances of staff read nothing else.';
COMMENT ON COLUMN trader_provider.tab IS 'That of the trader, whose accounts may be under other providers.';
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
COMMENT ON COLUMN trader_provider.pool_capital IS
  'That of the trader, part of aum: every provider that sees a trader sees its virtual balances. A sum over several providers counts it once.';

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

CREATE TRIGGER payout_address_changed AFTER UPDATE OF external_wallet_address ON trader
  FOR EACH ROW WHEN (lower(NEW.external_wallet_address) IS DISTINCT FROM lower(OLD.external_wallet_address)
    AND app.is_application())
  EXECUTE FUNCTION app.note_payout_address('trader', 'id', 'external_wallet_address');

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

-- Deleting a trader would forget what is still to be read of it, or was never read.
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
    AND NOT EXISTS (SELECT FROM closed_position c WHERE c.account_id = a.id)
    AND NOT EXISTS (SELECT FROM account_reading r WHERE r.account_id = a.id
      AND (r.last_read_until IS NOT NULL OR r.unread_until IS NOT NULL));
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN OLD;
END
$$;

CREATE TRIGGER trader_removed BEFORE DELETE ON trader FOR EACH ROW EXECUTE FUNCTION app.trader_removed();

-- A new reference number moves the invoices of a trader to another group.
CREATE FUNCTION app.reference_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  UPDATE invoice_part SET reference = nullif(NEW.reference_number, 'unknown') WHERE trader_id = NEW.id;
  UPDATE invoice_group SET reference = nullif(NEW.reference_number, 'unknown') WHERE trader_id = NEW.id;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;

CREATE TRIGGER reference_written AFTER UPDATE OF reference_number ON trader
  FOR EACH ROW WHEN (OLD.reference_number IS DISTINCT FROM NEW.reference_number)
  EXECUTE FUNCTION app.reference_written();

CREATE FUNCTION app.trader_texts_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  changed uuid[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(id) INTO changed FROM new_traders;
  ELSE
    SELECT array_agg(n.id) INTO changed FROM new_traders n JOIN old_traders o USING (id)
    WHERE (n.reference_number, n.name, n.telegram_username, n.telegram_user_id, n.email, n.deposit_address,
        n.external_wallet_address)
      IS DISTINCT FROM (o.reference_number, o.name, o.telegram_username, o.telegram_user_id, o.email,
        o.deposit_address, o.external_wallet_address);
  END IF;
  IF changed IS NOT NULL AND NOT app.bulk_loading() THEN
    PERFORM app.refresh_trader_text(changed);
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER texts_inserted AFTER INSERT ON trader REFERENCING NEW TABLE AS new_traders
  FOR EACH STATEMENT EXECUTE FUNCTION app.trader_texts_written();
CREATE TRIGGER texts_updated AFTER UPDATE ON trader REFERENCING OLD TABLE AS old_traders NEW TABLE AS new_traders
  FOR EACH STATEMENT EXECUTE FUNCTION app.trader_texts_written();

-- These two call app.refresh_traders, which the application itself may not call: they run with the owner's rights.
CREATE FUNCTION app.trader_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  changed uuid[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(id) INTO changed FROM new_traders;
  ELSE
    SELECT array_agg(n.id) INTO changed FROM new_traders n JOIN old_traders o USING (id)
    WHERE (n.status, n.community_id, n.selected_provider_id, n.reference_number, n.name, n.email, n.telegram_username,
        n.telegram_user_id, n.language, n.external_wallet_address, n.referral_code, n.referred_by_trader_id)
      IS DISTINCT FROM (o.status, o.community_id, o.selected_provider_id, o.reference_number, o.name, o.email,
        o.telegram_username, o.telegram_user_id, o.language, o.external_wallet_address, o.referral_code,
        o.referred_by_trader_id);
  END IF;
  IF changed IS NOT NULL AND NOT app.bulk_loading() THEN
    PERFORM app.refresh_traders(changed);
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER trader_inserted AFTER INSERT ON trader REFERENCING NEW TABLE AS new_traders
  FOR EACH STATEMENT EXECUTE FUNCTION app.trader_written();
CREATE TRIGGER trader_updated AFTER UPDATE ON trader REFERENCING OLD TABLE AS old_traders NEW TABLE AS new_traders
  FOR EACH STATEMENT EXECUTE FUNCTION app.trader_written();
-- The address that a new trader comes with is a proposal too: it may be a referrer's, or a member's of a pool.
CREATE TRIGGER payout_address_given AFTER INSERT ON trader FOR EACH ROW
  WHEN (NEW.external_wallet_address IS NOT NULL
    AND app.is_application())
  EXECUTE FUNCTION app.note_payout_address('trader', 'id', 'external_wallet_address');
-- Staff, tokens and super admins, that is the API. A worker notes what a buyer's own link said, and the owner imports:
-- these, and all of before, are released.
CREATE TRIGGER referrer_changed AFTER UPDATE OF referred_by_trader_id ON trader FOR EACH ROW
  WHEN (NEW.referred_by_trader_id IS DISTINCT FROM OLD.referred_by_trader_id AND app.is_api())
  EXECUTE FUNCTION app.note_payout_address('trader_referrer', 'id', 'referred_by_trader_id');
CREATE TRIGGER referrer_given AFTER INSERT ON trader FOR EACH ROW
  WHEN (NEW.referred_by_trader_id IS NOT NULL AND app.is_api())
  EXECUTE FUNCTION app.note_payout_address('trader_referrer', 'id', 'referred_by_trader_id');

CREATE FUNCTION app.note_telegram_id() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    NEW.telegram_set_at := now();
  ELSIF NEW.telegram_user_id IS DISTINCT FROM OLD.telegram_user_id THEN
    NEW.telegram_set_at := now();
  ELSE
    RAISE EXCEPTION 'the database writes when a Telegram id was set' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;

-- Imports of the owner of the database may know better.
CREATE TRIGGER telegram_id_given BEFORE INSERT ON trader FOR EACH ROW
  WHEN (app.is_application()) EXECUTE FUNCTION app.note_telegram_id();
CREATE TRIGGER telegram_id_changed BEFORE UPDATE ON trader FOR EACH ROW
  WHEN ((NEW.telegram_user_id IS DISTINCT FROM OLD.telegram_user_id
    OR NEW.telegram_set_at IS DISTINCT FROM OLD.telegram_set_at) AND app.is_application())
  EXECUTE FUNCTION app.note_telegram_id();

CREATE FUNCTION app.refuse_other_address() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM deposit_address d WHERE d.deposit_index = NEW.deposit_index AND d.address = NEW.deposit_address)
  THEN
    RAISE EXCEPTION 'a deposit address is the one that a worker derived' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER trader_address_given BEFORE INSERT ON trader FOR EACH ROW
  WHEN (NEW.deposit_address IS NOT NULL AND app.is_api()) EXECUTE FUNCTION app.refuse_other_address();
CREATE TRIGGER trader_address_first BEFORE UPDATE ON trader FOR EACH ROW
  WHEN (OLD.deposit_address IS NULL AND NEW.deposit_address IS NOT NULL AND app.is_api())
  EXECUTE FUNCTION app.refuse_other_address();

CREATE FUNCTION app.refuse_own_address() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'addresses of wallets are derived by workers' USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE TRIGGER trader_address_kept BEFORE UPDATE ON trader FOR EACH ROW
  WHEN (((OLD.deposit_address IS NOT NULL AND NEW.deposit_address IS DISTINCT FROM OLD.deposit_address)
    OR NEW.deposit_index <> OLD.deposit_index) AND app.is_api())
  EXECUTE FUNCTION app.refuse_own_address();

-- A trader that has the reference number of an older one in other letters is the one that the number belongs to, once
-- the older one has left it.
CREATE FUNCTION app.reference_compared() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  NEW.reference_clash := TG_OP = 'UPDATE' AND OLD.reference_clash AND NEW.reference_clash
    AND NEW.reference_number = OLD.reference_number;
  RETURN NEW;
END
$$;

CREATE TRIGGER reference_compared BEFORE INSERT OR UPDATE OF reference_number, reference_clash ON trader
  FOR EACH ROW EXECUTE FUNCTION app.reference_compared();

CREATE FUNCTION app.reference_freed() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  UPDATE trader SET reference_clash = false
  WHERE id = (SELECT t.id FROM trader t WHERE t.reference_sort = OLD.reference_sort AND t.reference_clash
    ORDER BY t.created_at, t.id LIMIT 1)
    AND NOT EXISTS (SELECT FROM trader t WHERE t.reference_sort = OLD.reference_sort AND t.reference_number IS NOT NULL
      AND NOT t.reference_clash);
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;

CREATE TRIGGER reference_changed AFTER UPDATE OF reference_number ON trader FOR EACH ROW
  WHEN (OLD.reference_number IS NOT NULL AND NEW.reference_number IS DISTINCT FROM OLD.reference_number)
  EXECUTE FUNCTION app.reference_freed();
CREATE TRIGGER reference_left AFTER DELETE ON trader FOR EACH ROW WHEN (OLD.reference_number IS NOT NULL)
  EXECUTE FUNCTION app.reference_freed();

CREATE TABLE exchange_account (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  trader_id uuid NOT NULL REFERENCES trader ON DELETE RESTRICT,
  provider_id uuid NOT NULL REFERENCES provider,
  exchange text NOT NULL,
  acc_uid text NOT NULL,
  account_type text CHECK (account_type IN ('master', 'subaccount')),
  master_address text,
  agent_address text,
  may_withdraw boolean,
  equity numeric(28,8),
  equity_read_at timestamptz,
  read_error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  connected_at timestamptz NOT NULL DEFAULT now(),
  removed_at timestamptz,
  region text CHECK (region ~ '^[a-z]{2,8}$'),
  key_expires_at timestamptz,
  key_read_at timestamptz,
  CONSTRAINT exchange_account_check CHECK ((exchange = 'hyperliquid') = (master_address IS NOT NULL))
);
COMMENT ON TABLE exchange_account IS 'Accounts of traders on exchanges, connected through a provider.';
COMMENT ON COLUMN exchange_account.may_withdraw IS 'Whether the key may withdraw; null: the exchange does not say';
COMMENT ON COLUMN exchange_account.removed_at IS
  'A removed account stays while positions refer to it, without credentials and out of every sum.';
COMMENT ON COLUMN exchange_account.region IS
  'The regional platform of the exchange that knows the key, as in eea; null: its main one.';
COMMENT ON COLUMN exchange_account.key_expires_at IS
  'When the exchange ends the key, as it last said. NULL: never, or the exchange does not say.';
COMMENT ON COLUMN exchange_account.key_read_at IS
  'When the exchange was last asked about the key. NULL: not yet, or it says nothing of its end.';
CREATE INDEX exchange_account_by_trader ON exchange_account (trader_id, provider_id);
CREATE INDEX exchange_account_by_provider ON exchange_account (provider_id, exchange, trader_id);
CREATE INDEX exchange_account_by_exchange ON exchange_account (exchange, trader_id);
CREATE UNIQUE INDEX exchange_account_once ON exchange_account (exchange, acc_uid) WHERE removed_at IS NULL;
CREATE INDEX exchange_account_failing ON exchange_account (exchange, read_error)
  WHERE removed_at IS NULL AND read_error IS NOT NULL;
-- Sums of AUM say how many accounts they leave out.
CREATE INDEX exchange_account_unread ON exchange_account (trader_id, provider_id)
  WHERE removed_at IS NULL AND equity IS NULL;
-- Attention asks for the few that end soon.
CREATE INDEX exchange_account_key_ends ON exchange_account (key_expires_at)
  WHERE removed_at IS NULL AND key_expires_at IS NOT NULL;

ALTER TABLE exchange_account ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_account FORCE ROW LEVEL SECURITY;
-- A row with the scope's own provider and a foreign trader would bring that trader into the scope, since staff of a
-- provider see every trader with an account there. So the trader must be visible already.
CREATE POLICY exchange_account_scope ON exchange_account
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]))
  WITH CHECK ((SELECT app.sees_all()) OR (provider_id = ANY ((SELECT app.provider_ids())::uuid[])
    AND EXISTS (SELECT FROM trader t WHERE t.id = exchange_account.trader_id)));

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

CREATE FUNCTION app.account_texts_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  changed uuid[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT trader_id) INTO changed FROM new_accounts;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(DISTINCT trader_id) INTO changed FROM old_accounts;
  ELSE
    -- An account that moves changes the texts of both traders.
    SELECT array_agg(DISTINCT moved) INTO changed
    FROM new_accounts n JOIN old_accounts o USING (id) CROSS JOIN LATERAL (VALUES (n.trader_id), (o.trader_id)) v (moved)
    WHERE (n.trader_id, n.provider_id, n.acc_uid, n.master_address, n.agent_address, n.removed_at)
      IS DISTINCT FROM (o.trader_id, o.provider_id, o.acc_uid, o.master_address, o.agent_address, o.removed_at);
  END IF;
  IF changed IS NOT NULL AND NOT app.bulk_loading() THEN
    PERFORM app.refresh_trader_text(changed);
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER texts_inserted AFTER INSERT ON exchange_account REFERENCING NEW TABLE AS new_accounts
  FOR EACH STATEMENT EXECUTE FUNCTION app.account_texts_written();
CREATE TRIGGER texts_deleted AFTER DELETE ON exchange_account REFERENCING OLD TABLE AS old_accounts
  FOR EACH STATEMENT EXECUTE FUNCTION app.account_texts_written();
CREATE TRIGGER texts_updated AFTER UPDATE ON exchange_account
  REFERENCING OLD TABLE AS old_accounts NEW TABLE AS new_accounts
  FOR EACH STATEMENT EXECUTE FUNCTION app.account_texts_written();

CREATE FUNCTION app.account_connected() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.removed_at IS NOT NULL AND OLD.removed_at IS NULL THEN
    UPDATE account_holder SET held_until = NEW.removed_at
    WHERE account_id = NEW.id AND held_until IS NULL AND held_from < NEW.removed_at;
    DELETE FROM account_holder WHERE account_id = NEW.id AND held_until IS NULL;
  ELSIF TG_OP = 'UPDATE' AND NEW.removed_at IS NULL AND OLD.removed_at IS NOT NULL THEN
    -- The same connection goes on: the time in between is its own, unless somebody else held the account then.
    PERFORM app.hold_account(NEW.exchange, NEW.acc_uid,
      CASE WHEN NEW.connected_at = OLD.connected_at THEN OLD.removed_at ELSE NEW.connected_at END, NEW.id, NULL);
  ELSIF TG_OP = 'UPDATE' THEN
    UPDATE account_holder SET held_from = NEW.connected_at WHERE account_id = NEW.id AND held_until IS NULL;
  ELSIF NEW.removed_at IS NULL THEN
    PERFORM app.hold_account(NEW.exchange, NEW.acc_uid, NEW.connected_at, NEW.id, NULL);
  ELSIF NEW.removed_at > NEW.connected_at THEN
    INSERT INTO account_holder (exchange, acc_uid, held_from, held_until, account_id)
    VALUES (NEW.exchange, NEW.acc_uid, NEW.connected_at, NEW.removed_at, NEW.id);
  END IF;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;

CREATE TRIGGER account_held_first AFTER INSERT ON exchange_account FOR EACH ROW EXECUTE FUNCTION app.account_connected();
CREATE TRIGGER account_held AFTER UPDATE OF removed_at, connected_at ON exchange_account FOR EACH ROW
  WHEN (OLD.removed_at IS DISTINCT FROM NEW.removed_at OR OLD.connected_at <> NEW.connected_at)
  EXECUTE FUNCTION app.account_connected();

-- The exchanges as rows instead of lists in checks: a sixth one is an INSERT.
CREATE TABLE exchange (
  id text PRIMARY KEY CHECK (id ~ '^[a-z]+$'),
  name text NOT NULL UNIQUE CHECK (name <> '')
);
COMMENT ON TABLE exchange IS
  'Exchanges that traders can connect. The domain package has the same list, and a test compares them. A new one needs '
  'a place in app.invoice_cell as well, which is immutable and cannot read this table.';
COMMENT ON COLUMN exchange.name IS 'The exchange''s own spelling.';
INSERT INTO exchange (id, name) VALUES
  ('bybit', 'Bybit'), ('binance', 'Binance'), ('okx', 'OKX'), ('kucoin', 'KuCoin'), ('hyperliquid', 'Hyperliquid');

ALTER TABLE exchange_account ADD CONSTRAINT exchange_account_exchange_fkey FOREIGN KEY (exchange)
  REFERENCES exchange(id);

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
  kept_for_last_read boolean NOT NULL DEFAULT false,
  PRIMARY KEY (account_id, field),
  CONSTRAINT exchange_credential_check
    CHECK (num_nonnulls(revealed_at, revealed_by, revealed_by_id) = ANY (ARRAY[0, 3]))
);
COMMENT ON TABLE exchange_credential IS
  'Encrypted credentials, one row a field: the value under its own key, that key wrapped by the master key.';
COMMENT ON COLUMN exchange_credential.fingerprint IS
  'Keyed hash that finds a key connected twice without decrypting anything.';
COMMENT ON COLUMN exchange_credential.revealed_at IS
  'When a person last revealed the secret; the audit has every time.';
COMMENT ON COLUMN exchange_credential.kept_for_last_read IS
  'Its account was removed: it opens for the last read only, and is destroyed after it.';
CREATE INDEX exchange_credential_by_provider ON exchange_credential (provider_id);
-- A key that is kept for a last read may be connected elsewhere meanwhile.
CREATE UNIQUE INDEX exchange_credential_in_use_once ON exchange_credential (fingerprint)
  WHERE field = 'api_key' AND NOT kept_for_last_read;

ALTER TABLE exchange_credential ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_credential FORCE ROW LEVEL SECURITY;
-- The policy of the account checks its trader.
CREATE POLICY exchange_credential_scope ON exchange_credential
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]))
  WITH CHECK ((SELECT app.sees_all()) OR (provider_id = ANY ((SELECT app.provider_ids())::uuid[])
    AND EXISTS (SELECT FROM exchange_account a WHERE a.id = exchange_credential.account_id)));

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

CREATE TRIGGER trader_seen BEFORE INSERT ON trader_provider
  FOR EACH ROW WHEN (NEW.reference_sort IS NULL) EXECUTE FUNCTION app.trader_seen();

-- A transition table belongs to one kind of change, hence a trigger for each. Most rows are of one provider and cost no
-- more than a look.
CREATE FUNCTION app.trader_parts_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  touched uuid[];
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT trader_id) INTO touched FROM added WHERE is_shared;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(DISTINCT trader_id) INTO touched FROM taken WHERE is_shared;
  ELSE
    SELECT array_agg(DISTINCT trader_id) INTO touched
    FROM (SELECT trader_id FROM added WHERE is_shared UNION SELECT trader_id FROM taken WHERE is_shared) both_sides;
  END IF;
  IF touched IS NOT NULL THEN
    PERFORM app.refresh_trader_sets(touched, NULL);
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER parts_added AFTER INSERT ON trader_provider
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.trader_parts_written();
CREATE TRIGGER parts_changed AFTER UPDATE ON trader_provider
  REFERENCING OLD TABLE AS taken NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.trader_parts_written();
CREATE TRIGGER parts_taken AFTER DELETE ON trader_provider
  REFERENCING OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION app.trader_parts_written();

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

REVOKE INSERT, UPDATE, DELETE ON trader_provider FROM copydesk_app;

CREATE TABLE trader_text (
  trader_id uuid NOT NULL REFERENCES trader ON DELETE CASCADE,
  provider_id uuid,
  kind text NOT NULL CHECK (kind IN ('reference', 'person', 'account')),
  value text NOT NULL
);
COMMENT ON TABLE trader_text IS
  'Searched texts of a trader, in lower case. Row-level security is enabled but not forced: lists compare texts '
  'under the policy, while app.search_traders runs as the owner, and row-level security would keep it from the '
  'indexes.';
COMMENT ON COLUMN trader_text.provider_id IS
  'The provider of the account; NULL for texts that everyone who sees the trader may see.';
CREATE INDEX trader_text_of_trader ON trader_text (trader_id);
CREATE INDEX trader_text_references ON trader_text USING gin (value gin_trgm_ops) WHERE kind = 'reference';
CREATE INDEX trader_text_others ON trader_text USING gin (value gin_trgm_ops) WHERE kind <> 'reference';

-- Every character of a text and every pair of neighbours. Splitting in C takes 60 us for a person, a row for each pair
-- 700 us. The function is not inlined, and its cost keeps the planner from calling it for every row instead of using
-- the index.
CREATE FUNCTION app.short_parts(value text) RETURNS text[]
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 10000 AS $$
BEGIN
  RETURN string_to_array(value, NULL)
    || string_to_array(regexp_replace(value, '(..)', E'\\1\x01', 'g'), E'\x01')
    || string_to_array(regexp_replace(substr(value, 2), '(..)', E'\\1\x01', 'g'), E'\x01');
END
$$;

-- Texts with one or two given characters: the index of trigrams has no entry for those, and reading all texts took 60
-- to 260 ms of processor time at 100,000 traders. Parts that many traders have are found by walking the list instead.
CREATE INDEX trader_text_short_parts ON trader_text USING gin (app.short_parts(value)) WHERE kind <> 'reference';

ALTER TABLE trader_text ENABLE ROW LEVEL SECURITY;
CREATE POLICY trader_text_scope ON trader_text
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[])
    OR (provider_id IS NULL AND EXISTS (SELECT FROM trader_provider p
      WHERE p.trader_id = trader_text.trader_id
        AND p.provider_id = ANY ((SELECT app.provider_ids())::uuid[]) OFFSET 0)));

-- Triggers alone write these tables.
REVOKE INSERT, UPDATE, DELETE ON trader_text FROM copydesk_app;

REVOKE INSERT, UPDATE, DELETE ON exchange FROM copydesk_app;

-- How many exchange accounts a person has revealed lately: counted here, so that all API processes count together.
CREATE TABLE credential_reveal (
  user_id text NOT NULL,
  -- No reference: a reveal counts whatever becomes of the account.
  account_id uuid NOT NULL,
  revealed_at timestamptz NOT NULL,
  reason text CHECK (reason <> ''),
  burst text CHECK (burst IN ('reasons', 'accounts')),
  PRIMARY KEY (user_id, account_id, revealed_at)
);
COMMENT ON TABLE credential_reveal IS
  'One row for each exchange account that a person has revealed within ten minutes, whichever of its secrets and however often.';
COMMENT ON COLUMN credential_reveal.reason IS
  'Given because ten accounts had been revealed within the hour; opens the next ten.';
COMMENT ON COLUMN credential_reveal.burst IS 'Why this reveal alarmed the super admins.';
-- Of one person, lately.
CREATE INDEX credential_reveal_by_user ON credential_reveal (user_id, revealed_at);
-- For the figure and for pruning.
CREATE INDEX credential_reveal_by_time ON credential_reveal (revealed_at);

ALTER TABLE credential_reveal ENABLE ROW LEVEL SECURITY;
ALTER TABLE credential_reveal FORCE ROW LEVEL SECURITY;
CREATE POLICY credential_reveal_scope ON credential_reveal
  USING ('user:' || user_id = (SELECT app.caller()) OR (SELECT app.sees_all()))
  WITH CHECK ('user:' || user_id = (SELECT app.caller()));

-- The API takes no reveal back; workers delete old ones.
REVOKE UPDATE, DELETE ON credential_reveal FROM copydesk_app;
GRANT DELETE ON credential_reveal TO copydesk_worker;

CREATE TABLE account_holder (
  exchange text NOT NULL REFERENCES exchange,
  acc_uid text NOT NULL,
  held_from timestamptz NOT NULL,
  held_until timestamptz,
  account_id uuid REFERENCES exchange_account ON DELETE CASCADE,
  pooled_account_id uuid,
  CONSTRAINT account_holder_alone EXCLUDE USING gist (exchange WITH =, acc_uid WITH =, tstzrange(held_from,
    held_until) WITH &&),
  CONSTRAINT account_holder_one CHECK (num_nonnulls(account_id, pooled_account_id) = 1),
  CONSTRAINT account_holder_time CHECK (held_until > held_from)
);
COMMENT ON TABLE account_holder IS
  'Which account of a trader, or which pool, held an account of an exchange, and when. Kept by triggers.';
CREATE INDEX account_holder_by_account ON account_holder (account_id, held_from);
CREATE INDEX account_holder_by_pool ON account_holder (pooled_account_id);

ALTER TABLE account_holder ENABLE ROW LEVEL SECURITY;
ALTER TABLE account_holder FORCE ROW LEVEL SECURITY;
CREATE POLICY account_holder_scope ON account_holder FOR ALL USING ((SELECT app.sees_all()));

REVOKE INSERT, UPDATE, DELETE ON account_holder FROM copydesk_app;

-- Only workers give addresses to communities and members of pools.
CREATE TRIGGER community_wallet_given BEFORE INSERT ON community FOR EACH ROW
  WHEN (NEW.internal_wallet_address IS NOT NULL AND app.is_api()) EXECUTE FUNCTION app.refuse_own_address();
CREATE TRIGGER community_wallet_kept BEFORE UPDATE ON community FOR EACH ROW
  WHEN ((NEW.internal_wallet_address IS DISTINCT FROM OLD.internal_wallet_address
    OR NEW.internal_wallet_index <> OLD.internal_wallet_index) AND app.is_api())
  EXECUTE FUNCTION app.refuse_own_address();

-- Recomputes, for these traders, the sums over their accounts and the providers that see them, and records the change
-- for those who saw them before or see them now. Removed accounts do not count. Locking the traders first makes
-- concurrent changes of two accounts of one trader add up: the later one computes from what the earlier one committed.
-- (NO KEY: each already holds the key of the trader through its foreign key; a stronger lock would deadlock.)
CREATE FUNCTION app.refresh_traders(trader_ids uuid[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $function$
DECLARE
  caller_scope text := app.open_scope();
  seen_before jsonb;
BEGIN
  PERFORM FROM trader WHERE id = ANY (trader_ids) ORDER BY id FOR NO KEY UPDATE;
  SELECT jsonb_object_agg(s.trader_id, s.providers) INTO seen_before
  FROM (SELECT trader_id, jsonb_agg(provider_id) AS providers
        FROM trader_provider WHERE trader_id = ANY (trader_ids) GROUP BY trader_id) s;

  UPDATE trader t
  SET aum = s.aum, aum_read_at = s.read_at, account_count = s.accounts, pool_capital = s.capital
  FROM (SELECT w.id, CASE WHEN count(a.equity) > 0 OR p.capital > 0 THEN coalesce(sum(a.equity), 0) + p.capital END AS aum,
          min(a.equity_read_at) AS read_at, count(a.id)::int AS accounts, p.capital
        FROM unnest(trader_ids) w (id)
        LEFT JOIN exchange_account a ON a.trader_id = w.id AND a.removed_at IS NULL
        CROSS JOIN LATERAL (SELECT trunc(coalesce(sum(m.capital_units), 0) * 0.000000000000000001, 8) AS capital
          FROM pool_member m WHERE m.trader_id = w.id) p
        GROUP BY w.id, p.capital) s
  WHERE t.id = s.id
    AND (t.aum, t.aum_read_at, t.account_count, t.pool_capital) IS DISTINCT FROM (s.aum, s.read_at, s.accounts, s.capital);

  DELETE FROM trader_provider tp
  USING trader t
  WHERE tp.trader_id = ANY (trader_ids) AND t.id = tp.trader_id
    AND t.selected_provider_id IS DISTINCT FROM tp.provider_id
    AND NOT EXISTS (SELECT FROM exchange_account a
                    WHERE a.trader_id = tp.trader_id AND a.provider_id = tp.provider_id AND a.removed_at IS NULL);

  INSERT INTO trader_provider AS tp (trader_id, provider_id, account_count, aum, aum_read_at, tab, is_shared, pool_capital)
  SELECT t.id, p.provider_id, count(a.id),
         CASE WHEN count(a.equity) > 0 OR t.pool_capital > 0 THEN coalesce(sum(a.equity), 0) + t.pool_capital END,
         min(a.equity_read_at), t.tab, count(*) OVER (PARTITION BY t.id) > 1, t.pool_capital
  FROM trader t
  CROSS JOIN LATERAL (
    SELECT t.selected_provider_id AS provider_id WHERE t.selected_provider_id IS NOT NULL
    UNION SELECT ea.provider_id FROM exchange_account ea WHERE ea.trader_id = t.id AND ea.removed_at IS NULL) p
  LEFT JOIN exchange_account a
    ON a.trader_id = t.id AND a.provider_id = p.provider_id AND a.removed_at IS NULL
  WHERE t.id = ANY (trader_ids)
  GROUP BY t.id, p.provider_id
  ON CONFLICT (trader_id, provider_id) DO UPDATE
  SET account_count = excluded.account_count, aum = excluded.aum, aum_read_at = excluded.aum_read_at,
      tab = excluded.tab, is_shared = excluded.is_shared, pool_capital = excluded.pool_capital
  WHERE (tp.account_count, tp.aum, tp.aum_read_at, tp.tab, tp.is_shared, tp.pool_capital) IS DISTINCT FROM
    (excluded.account_count, excluded.aum, excluded.aum_read_at, excluded.tab, excluded.is_shared, excluded.pool_capital);

  INSERT INTO change_event (topic, entity_id, provider_ids)
  SELECT 'trader', w.id, ARRAY(
    SELECT provider_id FROM trader_provider WHERE trader_id = w.id
    UNION SELECT p::uuid FROM jsonb_array_elements_text(seen_before -> w.id::text) p)
  FROM unnest(trader_ids) w (id);
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$function$;

-- A trader is also found by its deposit addresses in pools.
CREATE FUNCTION app.refresh_trader_text(trader_ids uuid[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  DELETE FROM trader_text WHERE trader_ids IS NULL OR trader_id = ANY (trader_ids);
  INSERT INTO trader_text (trader_id, provider_id, kind, value)
  SELECT t.id, NULL::uuid, 'reference', t.reference_sort FROM trader t
  WHERE t.reference_number IS NOT NULL AND (trader_ids IS NULL OR t.id = ANY (trader_ids))
  UNION ALL
  SELECT t.id, NULL::uuid, 'person', lower(concat_ws(E'\n', t.name, t.telegram_username, t.telegram_user_id, t.email,
    t.deposit_address, t.external_wallet_address,
    (SELECT string_agg(m.deposit_address, E'\n') FROM pool_member m WHERE m.trader_id = t.id))) FROM trader t
  WHERE trader_ids IS NULL OR t.id = ANY (trader_ids)
  UNION ALL
  SELECT a.trader_id, a.provider_id, 'account', lower(concat_ws(E'\n', a.acc_uid, a.master_address, a.agent_address))
  FROM exchange_account a
  WHERE a.removed_at IS NULL AND (trader_ids IS NULL OR a.trader_id = ANY (trader_ids));
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;

-- All traders in the caller's scope with this part in a text other than the reference number, some of them several
-- times. For counts: it joins scope and texts as a whole, where app.search_traders looks up each match.
CREATE FUNCTION app.traders_with_text(part text) RETURNS SETOF uuid
  LANGUAGE plpgsql SECURITY DEFINER ROWS 30000
  SET search_path = public, pg_temp AS $$
DECLARE
  mine uuid[] := app.provider_ids();
  caller_scope text := app.open_scope();
  needle text := lower(part);
  pattern text := '%' || replace(replace(replace(needle, '\', '\\'), '%', '\%'), '_', '\_') || '%';
BEGIN
  RETURN QUERY EXECUTE format($query$SELECT x.trader_id FROM trader_text x
    WHERE x.kind <> 'reference' AND %s AND ($1 OR x.provider_id = ANY ($2) OR (x.provider_id IS NULL AND x.trader_id IN (
      SELECT p.trader_id FROM trader_provider p WHERE p.provider_id = ANY ($2))))$query$,
    CASE WHEN length(needle) < 3 THEN format('app.short_parts(x.value) @> ARRAY[%L]', needle)
      ELSE format('x.value LIKE %L', pattern) END) USING caller_scope = 'all', mine;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;
GRANT EXECUTE ON FUNCTION app.traders_with_text(text) TO copydesk_app;

CREATE FUNCTION app.telegram_counts(telegram_user_id text, set_at timestamptz) RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN telegram_user_id ~ '^[1-9][0-9]{0,15}$' AND set_at <= now() - interval '30 days';
COMMENT ON FUNCTION app.telegram_counts(text, timestamptz) IS
  'Whether a Telegram id may confirm an address: nobody set or changed it for 30 days.';
GRANT EXECUTE ON FUNCTION app.telegram_counts(text, timestamptz) TO copydesk_app;

-- Pages of lists have one plan for whatever is asked, and so have the functions in them. With "all traders, or these" in
-- one condition that plan read every trader of the caller's providers for a page of fifty: 63 ms at 100,000.
CREATE FUNCTION app.trader_marks(ids uuid[])
  RETURNS TABLE (trader_id uuid, is_part boolean, below_minimum numeric, vip_level integer)
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  mine uuid[] := app.provider_ids();
  caller_scope text := app.open_scope();
  everything boolean := caller_scope = 'all';
BEGIN
  IF everything THEN
    IF ids IS NULL THEN
      ids := ARRAY(SELECT id FROM trader);
    END IF;
  ELSIF ids IS NULL THEN
    ids := ARRAY(SELECT DISTINCT p.trader_id FROM trader_provider p WHERE p.provider_id = ANY (mine));
  ELSE
    ids := ARRAY(SELECT w.id FROM (SELECT DISTINCT id FROM unnest(ids) u (id)) w
      WHERE EXISTS (SELECT FROM trader_provider p WHERE p.trader_id = w.id AND p.provider_id = ANY (mine) OFFSET 0));
  END IF;
  RETURN QUERY
    SELECT t.id, NOT everything AND t.account_count > (SELECT sum(p.account_count) FROM trader_provider p
        WHERE p.trader_id = t.id AND p.provider_id = ANY (mine)),
      -- Whoever has an account that was not read yet may have enough.
      CASE WHEN coalesce(t.aum, 0) < c.minimum_balance AND NOT EXISTS (SELECT FROM exchange_account a
          WHERE a.trader_id = t.id AND a.removed_at IS NULL AND a.equity IS NULL) THEN c.minimum_balance END,
      coalesce((SELECT v.level FROM vip_tier v WHERE v.min_aum <= t.aum ORDER BY v.min_aum DESC LIMIT 1), 0)
    FROM unnest(ids) w (id) JOIN trader t ON t.id = w.id
    LEFT JOIN community c ON c.id = t.community_id AND (everything OR EXISTS (SELECT FROM community_provider l
      WHERE l.community_id = c.id AND l.provider_id = ANY (mine)));
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;
COMMENT ON FUNCTION app.trader_marks(uuid[]) IS
  'Of traders in the caller''s scope: whether it sees a part of their AUM only, and what the whole decides: the minimum balance (USD) that they are below, and their VIP level. NULL: of all traders in scope.';
GRANT EXECUTE ON FUNCTION app.trader_marks(uuid[]) TO copydesk_app;

-- Clocks differ: an account that is connected elsewhere is held from its end at the former holder.
CREATE FUNCTION app.hold_account(venue text, uid text, since timestamptz, account uuid, pool uuid) RETURNS void
  LANGUAGE sql
  SET search_path = public, pg_temp AS $$
  INSERT INTO account_holder (exchange, acc_uid, held_from, account_id, pooled_account_id)
  SELECT venue, uid, greatest(since, max(h.held_until)), account, pool
  FROM account_holder h WHERE h.exchange = venue AND h.acc_uid = uid
$$;

-- Whether another trader of a community has a Telegram id, whatever the caller sees. No unique index: traders of before
-- may share one. With the owner's rights, because a trader of another provider counts as well; it says no more than that.
CREATE FUNCTION app.telegram_id_taken(in_community uuid, wanted text, besides uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
  taken boolean;
BEGIN
  taken := EXISTS (SELECT FROM trader t WHERE t.telegram_user_id = wanted AND t.telegram_user_id <> ''
    AND t.community_id = in_community AND t.id IS DISTINCT FROM besides);
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN taken;
END
$$;
GRANT EXECUTE ON FUNCTION app.telegram_id_taken(uuid, text, uuid) TO copydesk_app;
