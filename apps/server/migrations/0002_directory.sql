-- Providers (white-label operators), communities, and which community works with which provider.

CREATE TABLE provider (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL UNIQUE CHECK (name <> ''),
  display_name text NOT NULL CHECK (display_name <> ''),
  payment_split_percentage numeric(5, 4) NOT NULL DEFAULT 0.35 CHECK (payment_split_percentage BETWEEN 0 AND 1),
  minimum_commission_rate numeric(5, 4) NOT NULL DEFAULT 0 CHECK (minimum_commission_rate BETWEEN 0 AND 1),
  supported_exchanges text[] NOT NULL DEFAULT '{}'
    CHECK (supported_exchanges <@ ARRAY['bybit', 'binance', 'okx', 'kucoin', 'hyperliquid']),
  telegram_admin_channel_id text,
  is_active boolean NOT NULL DEFAULT true,
  invoicing_enabled boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE community (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL UNIQUE CHECK (name <> ''),
  is_archived boolean NOT NULL DEFAULT false,
  archived_at timestamptz,
  split_percentage numeric(5, 2) NOT NULL DEFAULT 5 CHECK (split_percentage BETWEEN 0 AND 100),
  trader_referral_percentage numeric(5, 2) NOT NULL DEFAULT 0 CHECK (trader_referral_percentage BETWEEN 0 AND 100),
  commission_rate numeric(5, 4) NOT NULL DEFAULT 0.5 CHECK (commission_rate BETWEEN 0 AND 1),
  minimum_balance numeric(20, 2) NOT NULL DEFAULT 10000 CHECK (minimum_balance >= 1),
  referrer_wallet_address text CHECK (referrer_wallet_address ~ '^0x[0-9a-fA-F]{40}$'),
  external_wallet_address text CHECK (external_wallet_address ~ '^0x[0-9a-fA-F]{40}$'),
  -- Path index of the internal wallet below the platform's master public key (BIP-44).
  internal_wallet_index integer GENERATED ALWAYS AS IDENTITY UNIQUE,
  internal_wallet_address text CHECK (internal_wallet_address ~ '^0x[0-9a-fA-F]{40}$'),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK (is_archived = (archived_at IS NOT NULL))
);

CREATE TABLE community_provider (
  community_id uuid NOT NULL REFERENCES community ON DELETE CASCADE,
  provider_id uuid NOT NULL REFERENCES provider,
  custom_display_name text,
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (community_id, provider_id)
);
CREATE INDEX community_provider_by_provider ON community_provider (provider_id, community_id);

-- From this much AUM (USD) a trader has this level.
CREATE TABLE vip_tier (
  level integer PRIMARY KEY CHECK (level > 0),
  name text NOT NULL,
  min_aum numeric(28, 8) NOT NULL UNIQUE CHECK (min_aum > 0)
);
INSERT INTO vip_tier VALUES
  (1, 'Bronze', 10000), (2, 'Silver', 50000), (3, 'Gold', 100000), (4, 'Platinum', 250000), (5, 'Diamond', 1000000);

ALTER TABLE provider ENABLE ROW LEVEL SECURITY;
ALTER TABLE provider FORCE ROW LEVEL SECURITY;
CREATE POLICY provider_scope ON provider
  USING ((SELECT app.sees_all()) OR id = ANY ((SELECT app.provider_ids())::uuid[]))
  WITH CHECK ((SELECT app.sees_all()));

ALTER TABLE community_provider ENABLE ROW LEVEL SECURITY;
ALTER TABLE community_provider FORCE ROW LEVEL SECURITY;
CREATE POLICY community_provider_scope ON community_provider
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]));

ALTER TABLE community ENABLE ROW LEVEL SECURITY;
ALTER TABLE community FORCE ROW LEVEL SECURITY;
CREATE POLICY community_scope ON community
  USING ((SELECT app.sees_all()) OR EXISTS (
    SELECT FROM community_provider cp
    WHERE cp.community_id = community.id AND cp.provider_id = ANY ((SELECT app.provider_ids())::uuid[])))
  WITH CHECK ((SELECT app.sees_all()));
