-- Traders, their exchange accounts, and what each provider sees of them.

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
  -- Path index of the deposit address below the platform's master public key (BIP-44).
  deposit_index integer GENERATED ALWAYS AS IDENTITY UNIQUE,
  deposit_address text UNIQUE CHECK (deposit_address ~ '^0x[0-9a-fA-F]{40}$'),
  last_updated_by text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- Kept by app.refresh_traders: sum and count over all exchange accounts. NULL: no equity was read yet.
  aum numeric(28, 8),
  aum_read_at timestamptz,
  account_count integer NOT NULL DEFAULT 0,
  -- What the list sorts and narrows by; an index serves each order, forwards and backwards.
  tab text GENERATED ALWAYS AS (
    CASE WHEN status <> 'pending' THEN status WHEN account_count > 0 THEN 'inbox' END) STORED,
  reference_sort text GENERATED ALWAYS AS (lower(coalesce(reference_number, ''))) STORED,
  handle_sort text GENERATED ALWAYS AS (lower(coalesce(nullif(telegram_username, ''), name, ''))) STORED
);
CREATE INDEX trader_by_aum ON trader (aum DESC NULLS LAST, id);
CREATE INDEX trader_by_tab_aum ON trader (tab, aum DESC NULLS LAST, id);
CREATE INDEX trader_by_tab_reference ON trader (tab, reference_sort, id);
CREATE INDEX trader_by_tab_handle ON trader (tab, handle_sort, id);
CREATE INDEX trader_by_created ON trader (created_at, id);
CREATE INDEX trader_by_community ON trader (community_id, tab) INCLUDE (aum);
CREATE INDEX trader_by_provider ON trader (selected_provider_id);
CREATE INDEX trader_by_referrer ON trader (referred_by_trader_id) WHERE referred_by_trader_id IS NOT NULL;

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
  UNIQUE (exchange, acc_uid),
  CHECK ((exchange = 'hyperliquid') = (master_address IS NOT NULL))
);
CREATE INDEX exchange_account_by_trader ON exchange_account (trader_id, provider_id);
CREATE INDEX exchange_account_by_provider ON exchange_account (provider_id, exchange, trader_id);
CREATE INDEX exchange_account_by_exchange ON exchange_account (exchange, trader_id);

-- Encrypted credentials, one row a field: the value under its own key, that key wrapped by the master key.
CREATE TABLE exchange_credential (
  account_id uuid NOT NULL REFERENCES exchange_account ON DELETE CASCADE,
  provider_id uuid NOT NULL REFERENCES provider,
  field text NOT NULL CHECK (field IN ('api_key', 'secret_key', 'passphrase', 'agent_private_key')),
  version integer NOT NULL DEFAULT 1,
  ciphertext bytea NOT NULL,
  wrapped_key bytea NOT NULL,
  master_key_id text NOT NULL,
  masked text NOT NULL,
  -- Keyed hash that finds a key connected twice without decrypting anything.
  fingerprint bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, field)
);
CREATE UNIQUE INDEX exchange_credential_once ON exchange_credential (fingerprint) WHERE field = 'api_key';
CREATE INDEX exchange_credential_by_provider ON exchange_credential (provider_id);

-- The providers that see a trader (its selected one, and those of its accounts), with the sums each may see.
-- Kept by app.refresh_traders; scope, tabs and balances of provider staff read nothing else.
CREATE TABLE trader_provider (
  trader_id uuid NOT NULL REFERENCES trader ON DELETE CASCADE,
  provider_id uuid NOT NULL REFERENCES provider,
  account_count integer NOT NULL,
  aum numeric(28, 8),
  aum_read_at timestamptz,
  tab text,
  -- Whether other providers see the trader as well. Who sees several providers needs sums for those only.
  is_shared boolean NOT NULL,
  PRIMARY KEY (trader_id, provider_id)
);
CREATE INDEX trader_provider_by_aum ON trader_provider (provider_id, tab, aum DESC NULLS LAST, trader_id);
CREATE INDEX trader_provider_alone ON trader_provider (provider_id, tab, aum DESC NULLS LAST, trader_id)
  WHERE NOT is_shared;
CREATE INDEX trader_provider_shared ON trader_provider (trader_id, provider_id) INCLUDE (tab, aum) WHERE is_shared;

ALTER TABLE exchange_account ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_account FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_account_scope ON exchange_account
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]));

ALTER TABLE exchange_credential ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_credential FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_credential_scope ON exchange_credential
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]));

ALTER TABLE trader_provider ENABLE ROW LEVEL SECURITY;
ALTER TABLE trader_provider FORCE ROW LEVEL SECURITY;
CREATE POLICY trader_provider_scope ON trader_provider
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]));

-- The policy reads no column but id: lists walk an index and fetch only the rows that they show.
ALTER TABLE trader ENABLE ROW LEVEL SECURITY;
ALTER TABLE trader FORCE ROW LEVEL SECURITY;
CREATE POLICY trader_scope ON trader
  USING ((SELECT app.sees_all()) OR EXISTS (
    SELECT FROM trader_provider tp
    WHERE tp.trader_id = trader.id AND tp.provider_id = ANY ((SELECT app.provider_ids())::uuid[])))
  WITH CHECK ((SELECT app.sees_all()) OR EXISTS (
    SELECT FROM trader_provider tp
    WHERE tp.trader_id = trader.id AND tp.provider_id = ANY ((SELECT app.provider_ids())::uuid[])));
-- A new trader has no trader_provider row before the trigger has run: staff may create for its own providers.
CREATE POLICY trader_creation ON trader FOR INSERT
  WITH CHECK (selected_provider_id = ANY ((SELECT app.provider_ids())::uuid[]));

REVOKE INSERT, UPDATE, DELETE ON trader_provider FROM copydesk_app;
