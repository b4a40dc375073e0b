-- Providers (white-label operators), communities, the links between them, and the addresses that payouts go to.

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
  updated_at timestamptz NOT NULL DEFAULT now(),
  payout_address text CHECK (payout_address ~ '^0x[0-9a-fA-F]{40}$'),
  reveal_super_only boolean NOT NULL DEFAULT false
);
COMMENT ON TABLE provider IS 'White-label operators.';
COMMENT ON COLUMN provider.payout_address IS
  'Where payouts of the provider go. A missing address delays the payout, not the booking.';
COMMENT ON COLUMN provider.reveal_super_only IS 'Only super admins may reveal exchange secrets of this provider.';

ALTER TABLE provider ENABLE ROW LEVEL SECURITY;
ALTER TABLE provider FORCE ROW LEVEL SECURITY;
CREATE POLICY provider_scope ON provider
  USING ((SELECT app.sees_all()) OR id = ANY ((SELECT app.provider_ids())::uuid[]))
  WITH CHECK ((SELECT app.sees_all()));

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
  internal_wallet_index integer GENERATED ALWAYS AS IDENTITY UNIQUE,
  internal_wallet_address text CHECK (internal_wallet_address ~ '^0x[0-9a-fA-F]{40}$'),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK (is_archived = (archived_at IS NOT NULL))
);
COMMENT ON TABLE community IS 'Communities of traders.';
COMMENT ON COLUMN community.internal_wallet_index IS
  'Path index of the internal wallet below the platform''s master public key (BIP-44).';

ALTER TABLE community ENABLE ROW LEVEL SECURITY;
ALTER TABLE community FORCE ROW LEVEL SECURITY;

CREATE TABLE community_provider (
  community_id uuid NOT NULL REFERENCES community ON DELETE CASCADE,
  provider_id uuid NOT NULL REFERENCES provider,
  custom_display_name text,
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (community_id, provider_id)
);
COMMENT ON TABLE community_provider IS 'The providers that a community works with.';
CREATE INDEX community_provider_by_provider ON community_provider (provider_id, community_id);

ALTER TABLE community_provider ENABLE ROW LEVEL SECURITY;
ALTER TABLE community_provider FORCE ROW LEVEL SECURITY;
CREATE POLICY community_provider_scope ON community_provider FOR SELECT
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]));
-- Linking is for transactions that see everything. (A check that the community is visible would recurse: communities
-- are visible through these rows.)
CREATE POLICY community_provider_linking ON community_provider
  USING ((SELECT app.sees_all())) WITH CHECK ((SELECT app.sees_all()));

CREATE POLICY community_scope ON community
  USING ((SELECT app.sees_all()) OR EXISTS (
    SELECT FROM community_provider cp
    WHERE cp.community_id = community.id AND cp.provider_id = ANY ((SELECT app.provider_ids())::uuid[])))
  WITH CHECK ((SELECT app.sees_all()));

-- Every provider linked to a community receives its changes.
CREATE FUNCTION app.directory_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
  changed uuid := CASE WHEN TG_OP = 'DELETE' THEN OLD.id ELSE NEW.id END;
BEGIN
  IF NOT app.bulk_loading() THEN
    INSERT INTO change_event (topic, entity_id, provider_ids)
    VALUES (TG_TABLE_NAME, changed, CASE TG_TABLE_NAME
      WHEN 'provider' THEN ARRAY[changed]
      ELSE ARRAY(SELECT provider_id FROM community_provider WHERE community_id = changed) END);
  END IF;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END
$$;
CREATE TRIGGER provider_written AFTER INSERT OR UPDATE ON provider
  FOR EACH ROW EXECUTE FUNCTION app.directory_written();
CREATE TRIGGER community_written AFTER INSERT OR UPDATE ON community
  FOR EACH ROW EXECUTE FUNCTION app.directory_written();
CREATE TRIGGER community_removed BEFORE DELETE ON community
  FOR EACH ROW EXECUTE FUNCTION app.directory_written();

CREATE TABLE community_subscription (
  community_id uuid PRIMARY KEY REFERENCES community ON DELETE CASCADE,
  interval text NOT NULL CHECK (interval IN ('monthly', 'yearly')),
  current_period_end timestamptz NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE community_subscription IS
  'What a community pays us for; written by the billing integration. No row: it never subscribed.';

ALTER TABLE community_subscription ENABLE ROW LEVEL SECURITY;
ALTER TABLE community_subscription FORCE ROW LEVEL SECURITY;
CREATE POLICY community_subscription_scope ON community_subscription
  USING ((SELECT app.sees_all()) OR EXISTS (
    SELECT FROM community_provider cp WHERE cp.community_id = community_subscription.community_id
      AND cp.provider_id = ANY ((SELECT app.provider_ids())::uuid[])))
  WITH CHECK ((SELECT app.sees_all()));

CREATE TABLE community_external_balance (
  community_id uuid PRIMARY KEY REFERENCES community ON DELETE CASCADE,
  chain_id integer NOT NULL,
  token_address text NOT NULL CHECK (token_address ~ '^0x[0-9a-f]{40}$'),
  address text NOT NULL CHECK (address ~ '^0x[0-9a-f]{40}$'),
  balance_units numeric(78, 0) NOT NULL CHECK (balance_units >= 0),
  block_number bigint NOT NULL CHECK (block_number >= 0),
  read_at timestamptz NOT NULL
);
COMMENT ON TABLE community_external_balance IS
  'The balance of a community''s own wallet, as last read from the chain. The ledger does not include it, and only '
  'the worker reads the chain.';
COMMENT ON COLUMN community_external_balance.address IS
  'The address that was read, so that a balance is never shown for another one.';
COMMENT ON COLUMN community_external_balance.balance_units IS
  'Any ERC-20 amount (256 bits): the wallet is not ours, and the ledger never adds it up.';

ALTER TABLE community_external_balance ENABLE ROW LEVEL SECURITY;
ALTER TABLE community_external_balance FORCE ROW LEVEL SECURITY;
CREATE POLICY community_external_balance_scope ON community_external_balance USING ((SELECT app.sees_all()));

CREATE TABLE vip_tier (
  level integer PRIMARY KEY CHECK (level > 0),
  name text NOT NULL,
  min_aum numeric(28, 8) NOT NULL UNIQUE CHECK (min_aum > 0)
);
COMMENT ON TABLE vip_tier IS 'VIP levels of traders.';
COMMENT ON COLUMN vip_tier.min_aum IS 'AUM in USD from which a trader has this level.';
INSERT INTO vip_tier VALUES
  (1, 'Bronze', 10000), (2, 'Silver', 50000), (3, 'Gold', 100000), (4, 'Platinum', 250000), (5, 'Diamond', 1000000);

CREATE TABLE platform_recipient (
  recipient_type text PRIMARY KEY CHECK (recipient_type IN ('hexmount', 'sixk', 'tip')),
  address text CHECK (address ~ '^0x[0-9a-fA-F]{40}$')
);
COMMENT ON TABLE platform_recipient IS 'Where the platform''s own payouts go.';
INSERT INTO platform_recipient (recipient_type) VALUES ('hexmount'), ('sixk'), ('tip');

CREATE TABLE payout_address_change (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  owner_kind text NOT NULL CHECK (owner_kind IN ('provider', 'community', 'community_referrer', 'trader', 'platform')),
  owner_id text NOT NULL,
  address text,
  previous_address text,
  changed_at timestamptz NOT NULL DEFAULT now(),
  changed_by_id text NOT NULL,
  released_at timestamptz,
  released_by_id text,
  released_by text,
  -- Only the latest change of an address counts; the audit has the earlier ones.
  UNIQUE (owner_kind, owner_id),
  CHECK ((released_at IS NULL) = (released_by_id IS NULL) AND (released_at IS NULL) = (released_by IS NULL)),
  CHECK (released_by_id <> changed_by_id)
);
COMMENT ON TABLE payout_address_change IS
  'The latest change of each payout address. A changed address is held before it is paid to, so that a hijacked '
  'account or session gains nothing before others notice. Another super admin may release it earlier. Addresses of '
  'new rows, and addresses that the owner of the database sets (imports, manual set-up), take effect immediately.';
COMMENT ON COLUMN payout_address_change.owner_id IS 'A uuid; for the platform, the recipient type.';
COMMENT ON COLUMN payout_address_change.released_at IS 'When another super admin ended the hold early.';

ALTER TABLE payout_address_change ENABLE ROW LEVEL SECURITY;
ALTER TABLE payout_address_change FORCE ROW LEVEL SECURITY;
CREATE POLICY payout_address_change_scope ON payout_address_change USING ((SELECT app.sees_all()));

-- Arguments: kind of owner, column of its id, column of the address.
CREATE FUNCTION app.note_payout_address() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO payout_address_change AS c (owner_kind, owner_id, address, previous_address, changed_by_id)
  VALUES (TG_ARGV[0], to_jsonb(NEW) ->> TG_ARGV[1], to_jsonb(NEW) ->> TG_ARGV[2], to_jsonb(OLD) ->> TG_ARGV[2],
    coalesce(substring(current_setting('copydesk.caller', true) FROM '^[^:]+:(.+)$'), 'unknown'))
  ON CONFLICT (owner_kind, owner_id) DO UPDATE SET id = gen_random_uuid(), address = excluded.address,
    previous_address = excluded.previous_address, changed_at = now(), changed_by_id = excluded.changed_by_id,
    released_at = NULL, released_by_id = NULL, released_by = NULL;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
CREATE TRIGGER payout_address_changed AFTER UPDATE OF payout_address ON provider
  FOR EACH ROW WHEN (lower(NEW.payout_address) IS DISTINCT FROM lower(OLD.payout_address)
    AND current_user = 'copydesk_app')
  EXECUTE FUNCTION app.note_payout_address('provider', 'id', 'payout_address');
CREATE TRIGGER payout_address_changed AFTER UPDATE OF external_wallet_address ON community
  FOR EACH ROW WHEN (lower(NEW.external_wallet_address) IS DISTINCT FROM lower(OLD.external_wallet_address)
    AND current_user = 'copydesk_app')
  EXECUTE FUNCTION app.note_payout_address('community', 'id', 'external_wallet_address');
CREATE TRIGGER referrer_address_changed AFTER UPDATE OF referrer_wallet_address ON community
  FOR EACH ROW WHEN (lower(NEW.referrer_wallet_address) IS DISTINCT FROM lower(OLD.referrer_wallet_address)
    AND current_user = 'copydesk_app')
  EXECUTE FUNCTION app.note_payout_address('community_referrer', 'id', 'referrer_wallet_address');
CREATE TRIGGER payout_address_changed AFTER UPDATE OF address ON platform_recipient
  FOR EACH ROW WHEN (lower(NEW.address) IS DISTINCT FROM lower(OLD.address) AND current_user = 'copydesk_app')
  EXECUTE FUNCTION app.note_payout_address('platform', 'recipient_type', 'address');

-- Reference data belongs to the owner of the schema, and a trigger records changes of addresses.
REVOKE DELETE ON community_external_balance FROM copydesk_app;
REVOKE INSERT, UPDATE, DELETE ON vip_tier, platform_recipient, payout_address_change FROM copydesk_app;
GRANT UPDATE (released_at, released_by_id, released_by) ON payout_address_change TO copydesk_app;
