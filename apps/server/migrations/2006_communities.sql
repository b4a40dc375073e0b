-- Providers, communities, how they belong together, and what they charge.

CREATE TABLE provider (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL UNIQUE CHECK (name <> ''),
  display_name text NOT NULL CHECK (display_name <> ''),
  payment_split_percentage numeric(5,4) NOT NULL DEFAULT 0.35
    CHECK (payment_split_percentage >= 0 AND payment_split_percentage <= 1),
  minimum_commission_rate numeric(5,4) NOT NULL DEFAULT 0
    CHECK (minimum_commission_rate >= 0 AND minimum_commission_rate <= 1),
  supported_exchanges text[] NOT NULL DEFAULT '{}',
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
CREATE TRIGGER payout_address_changed AFTER UPDATE OF payout_address ON provider
  FOR EACH ROW WHEN (lower(NEW.payout_address) IS DISTINCT FROM lower(OLD.payout_address)
    AND app.is_application())
  EXECUTE FUNCTION app.note_payout_address('provider', 'id', 'payout_address');

-- PostgreSQL has no foreign key of an array's elements. Rows of exchange are never deleted, so checking the provider's
-- side is enough.
CREATE FUNCTION app.check_supported_exchanges() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM unnest(NEW.supported_exchanges) s (id)
      WHERE NOT EXISTS (SELECT FROM exchange e WHERE e.id = s.id)) THEN
    RAISE EXCEPTION 'provider % supports an exchange that does not exist', NEW.id USING ERRCODE = 'foreign_key_violation',
      CONSTRAINT = 'provider_supported_exchanges_fkey';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER supported_exchanges_exist BEFORE INSERT OR UPDATE OF supported_exchanges ON provider
  FOR EACH ROW EXECUTE FUNCTION app.check_supported_exchanges();
-- A provider or community that is created in the console waits like one whose address is changed there: otherwise the
-- wait could be avoided by a new provider with the address. Seeded ones are created by the owner of the database.
CREATE TRIGGER payout_address_given AFTER INSERT ON provider FOR EACH ROW
  WHEN (NEW.payout_address IS NOT NULL AND app.is_application())
  EXECUTE FUNCTION app.note_payout_address('provider', 'id', 'payout_address');

CREATE FUNCTION app.provider_rate_set()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO commission_rate (provider_id, rate, in_force_from)
  VALUES (NEW.id, NEW.minimum_commission_rate, CASE TG_OP WHEN 'INSERT' THEN '-infinity'::timestamptz ELSE clock_timestamp() END)
  ON CONFLICT (provider_id, in_force_from) WHERE provider_id IS NOT NULL DO UPDATE SET rate = excluded.rate;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$;

CREATE TRIGGER provider_rate_first AFTER INSERT ON provider FOR EACH ROW EXECUTE FUNCTION app.provider_rate_set();
CREATE TRIGGER provider_rate AFTER UPDATE OF minimum_commission_rate ON provider FOR EACH ROW
  WHEN (OLD.minimum_commission_rate IS DISTINCT FROM NEW.minimum_commission_rate)
  EXECUTE FUNCTION app.provider_rate_set();

CREATE TABLE community (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL UNIQUE CHECK (name <> ''),
  is_archived boolean NOT NULL DEFAULT false,
  archived_at timestamptz,
  split_percentage numeric(5,2) NOT NULL DEFAULT 5 CHECK (split_percentage >= 0 AND split_percentage <= 100),
  trader_referral_percentage numeric(5,2) NOT NULL DEFAULT 0
    CHECK (trader_referral_percentage >= 0 AND trader_referral_percentage <= 100),
  commission_rate numeric(5,4) NOT NULL DEFAULT 0.5 CHECK (commission_rate >= 0 AND commission_rate <= 1),
  minimum_balance numeric(20,2) NOT NULL DEFAULT 10000 CHECK (minimum_balance >= 1),
  referrer_wallet_address text CHECK (referrer_wallet_address ~ '^0x[0-9a-fA-F]{40}$'),
  external_wallet_address text CHECK (external_wallet_address ~ '^0x[0-9a-fA-F]{40}$'),
  internal_wallet_index integer GENERATED ALWAYS AS IDENTITY UNIQUE,
  internal_wallet_address text CHECK (internal_wallet_address ~ '^0x[0-9a-fA-F]{40}$'),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  owner_name text CHECK (owner_name <> ''),
  owner_telegram_id bigint,
  owner_language text CHECK (owner_language IN ('en', 'es', 'ar', 'pl', 'ru')),
  CONSTRAINT community_check CHECK (is_archived = (archived_at IS NOT NULL))
);
COMMENT ON TABLE community IS 'Communities of traders.';
COMMENT ON COLUMN community.internal_wallet_index IS
  'Path index of the internal wallet below the platform''s master public key (BIP-44).';
COMMENT ON COLUMN community.owner_telegram_id IS
  'The person who withdraws from the exchange when a harvest starts; the platform notifies this chat.';

ALTER TABLE community ENABLE ROW LEVEL SECURITY;
ALTER TABLE community FORCE ROW LEVEL SECURITY;

CREATE TABLE community_provider (
  community_id uuid NOT NULL REFERENCES community ON DELETE CASCADE,
  provider_id uuid NOT NULL REFERENCES provider,
  custom_display_name text CHECK (custom_display_name <> ''),
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  removed_at timestamptz,
  PRIMARY KEY (community_id, provider_id),
  CONSTRAINT community_provider_removed_check CHECK (removed_at IS NULL OR NOT is_active)
);
COMMENT ON TABLE community_provider IS 'The providers that a community works with.';
COMMENT ON COLUMN community_provider.custom_display_name IS
  'The name of the provider in this community. NULL: its own display name.';
COMMENT ON COLUMN community_provider.is_active IS
  'Whether traders of the community may choose the provider and connect accounts under it.';
COMMENT ON COLUMN community_provider.removed_at IS
  'A removed link stays when invoices name both: the staff of the provider still read its history by it.';

CREATE POLICY community_scope ON community
  USING ((SELECT app.sees_all()) OR EXISTS (
    SELECT FROM community_provider cp
    WHERE cp.community_id = community.id AND cp.provider_id = ANY ((SELECT app.provider_ids())::uuid[])))
  WITH CHECK ((SELECT app.sees_all()));

CREATE TRIGGER community_written AFTER INSERT OR UPDATE ON community
  FOR EACH ROW EXECUTE FUNCTION app.directory_written();
CREATE TRIGGER community_removed BEFORE DELETE ON community
  FOR EACH ROW EXECUTE FUNCTION app.directory_written();
CREATE TRIGGER payout_address_changed AFTER UPDATE OF external_wallet_address ON community
  FOR EACH ROW WHEN (lower(NEW.external_wallet_address) IS DISTINCT FROM lower(OLD.external_wallet_address)
    AND app.is_application())
  EXECUTE FUNCTION app.note_payout_address('community', 'id', 'external_wallet_address');
CREATE TRIGGER referrer_address_changed AFTER UPDATE OF referrer_wallet_address ON community
  FOR EACH ROW WHEN (lower(NEW.referrer_wallet_address) IS DISTINCT FROM lower(OLD.referrer_wallet_address)
    AND app.is_application())
  EXECUTE FUNCTION app.note_payout_address('community_referrer', 'id', 'referrer_wallet_address');
CREATE TRIGGER payout_address_given AFTER INSERT ON community FOR EACH ROW
  WHEN (NEW.external_wallet_address IS NOT NULL AND app.is_application())
  EXECUTE FUNCTION app.note_payout_address('community', 'id', 'external_wallet_address');
CREATE TRIGGER referrer_address_given AFTER INSERT ON community FOR EACH ROW
  WHEN (NEW.referrer_wallet_address IS NOT NULL AND app.is_application())
  EXECUTE FUNCTION app.note_payout_address('community_referrer', 'id', 'referrer_wallet_address');

-- Of two changes of a rate at once, the one that holds in its row is the later one in its history, too: its transaction
-- may have begun before the other.
CREATE FUNCTION app.community_rate_set()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO commission_rate (community_id, rate, in_force_from)
  VALUES (NEW.id, NEW.commission_rate, CASE TG_OP WHEN 'INSERT' THEN '-infinity'::timestamptz ELSE clock_timestamp() END)
  ON CONFLICT (community_id, in_force_from) WHERE community_id IS NOT NULL DO UPDATE SET rate = excluded.rate;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$;

CREATE TRIGGER community_rate_first AFTER INSERT ON community FOR EACH ROW EXECUTE FUNCTION app.community_rate_set();
CREATE TRIGGER community_rate AFTER UPDATE OF commission_rate ON community FOR EACH ROW
  WHEN (OLD.commission_rate IS DISTINCT FROM NEW.commission_rate) EXECUTE FUNCTION app.community_rate_set();

CREATE INDEX community_provider_by_provider ON community_provider (provider_id, community_id);

ALTER TABLE community_provider ENABLE ROW LEVEL SECURITY;
ALTER TABLE community_provider FORCE ROW LEVEL SECURITY;
CREATE POLICY community_provider_scope ON community_provider FOR SELECT
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]));
-- Linking is for transactions that see everything. (A check that the community is visible would recurse: communities
-- are visible through these rows.)
CREATE POLICY community_provider_linking ON community_provider
  USING ((SELECT app.sees_all())) WITH CHECK ((SELECT app.sees_all()));

-- Staff who gain or lose a community see it at once.
CREATE FUNCTION app.link_written() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $function$
DECLARE
  caller_scope text := app.open_scope();
  community uuid := CASE WHEN TG_OP = 'DELETE' THEN OLD.community_id ELSE NEW.community_id END;
  provider uuid := CASE WHEN TG_OP = 'DELETE' THEN OLD.provider_id ELSE NEW.provider_id END;
BEGIN
  IF NOT app.bulk_loading() THEN
    INSERT INTO change_event (topic, entity_id, provider_ids) VALUES ('community', community, ARRAY[provider]);
  END IF;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$;

CREATE TRIGGER community_provider_written AFTER INSERT OR UPDATE OR DELETE ON community_provider
  FOR EACH ROW EXECUTE FUNCTION app.link_written();

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

-- Reference data belongs to the owner of the schema, and a trigger records changes of addresses.
REVOKE DELETE ON community_external_balance FROM copydesk_app;

CREATE TABLE vip_tier (
  level integer PRIMARY KEY CHECK (level > 0),
  name text NOT NULL,
  min_aum numeric(28,8) NOT NULL UNIQUE CHECK (min_aum > 0),
  benefits text NOT NULL DEFAULT ''
);
COMMENT ON TABLE vip_tier IS 'VIP levels of traders.';
COMMENT ON COLUMN vip_tier.min_aum IS 'AUM in USD from which a trader has this level.';
COMMENT ON COLUMN vip_tier.benefits IS 'What the platform offers at this level, in the words of super admins. Empty: nothing.';
INSERT INTO vip_tier VALUES
  (1, 'Bronze', 10000), (2, 'Silver', 50000), (3, 'Gold', 100000), (4, 'Platinum', 250000), (5, 'Diamond', 1000000);

ALTER TABLE vip_tier ENABLE ROW LEVEL SECURITY;
ALTER TABLE vip_tier FORCE ROW LEVEL SECURITY;
CREATE POLICY vip_tier_read ON vip_tier FOR SELECT USING (true);
CREATE POLICY vip_tier_change ON vip_tier FOR ALL
  USING ((SELECT app.sees_all())) WITH CHECK ((SELECT app.sees_all()));

REVOKE UPDATE ON vip_tier FROM copydesk_app;

CREATE TABLE platform_recipient (
  recipient_type text PRIMARY KEY CHECK (recipient_type IN ('hexmount', 'sixk', 'tip')),
  address text CHECK (address ~ '^0x[0-9a-fA-F]{40}$')
);
COMMENT ON TABLE platform_recipient IS 'Where the platform''s own payouts go.';
INSERT INTO platform_recipient (recipient_type) VALUES ('hexmount'), ('sixk'), ('tip');

ALTER TABLE platform_recipient ENABLE ROW LEVEL SECURITY;
ALTER TABLE platform_recipient FORCE ROW LEVEL SECURITY;
CREATE POLICY platform_recipient_read ON platform_recipient FOR SELECT USING (true);
CREATE POLICY platform_recipient_change ON platform_recipient FOR UPDATE
  USING ((SELECT app.sees_all())) WITH CHECK ((SELECT app.sees_all()));

CREATE TRIGGER payout_address_changed AFTER UPDATE OF address ON platform_recipient
  FOR EACH ROW WHEN (lower(NEW.address) IS DISTINCT FROM lower(OLD.address) AND app.is_application())
  EXECUTE FUNCTION app.note_payout_address('platform', 'recipient_type', 'address');

REVOKE INSERT, UPDATE, DELETE ON platform_recipient FROM copydesk_app;
GRANT UPDATE (address) ON platform_recipient TO copydesk_app;

CREATE TABLE check_result (
  name text PRIMARY KEY CHECK (name ~ '^[a-z_]+$'),
  checked_at timestamptz NOT NULL DEFAULT now(),
  findings integer NOT NULL CHECK (findings >= 0)
);
COMMENT ON TABLE check_result IS
  'The last result of each check that compares the books with themselves or with the chain. The log has the details.';
COMMENT ON COLUMN check_result.findings IS 'How much the check found; 0: everything matched.';

ALTER TABLE check_result ENABLE ROW LEVEL SECURITY;
ALTER TABLE check_result FORCE ROW LEVEL SECURITY;
CREATE POLICY check_result_scope ON check_result FOR ALL USING ((SELECT app.sees_all()))
  WITH CHECK ((SELECT app.sees_all()));

REVOKE INSERT, UPDATE, DELETE ON check_result FROM copydesk_app;
GRANT INSERT, UPDATE, DELETE ON check_result TO copydesk_worker;

-- A position is invoiced at the rate that was in force when it closed, whenever the invoice is made.
CREATE TABLE commission_rate (
  community_id uuid REFERENCES community (id) ON DELETE CASCADE,
  provider_id uuid REFERENCES provider (id) ON DELETE CASCADE,
  rate numeric(5,4) NOT NULL,
  in_force_from timestamptz NOT NULL,
  CONSTRAINT commission_rate_of_one CHECK (num_nonnulls(community_id, provider_id) = 1)
);
COMMENT ON TABLE commission_rate IS
  'Rates of communities and minimum rates of providers, each from the time of its change. Kept by triggers.';
CREATE UNIQUE INDEX commission_rate_of_community ON commission_rate (community_id, in_force_from DESC)
  INCLUDE (rate) WHERE community_id IS NOT NULL;
CREATE UNIQUE INDEX commission_rate_of_provider ON commission_rate (provider_id, in_force_from DESC)
  INCLUDE (rate) WHERE provider_id IS NOT NULL;

ALTER TABLE commission_rate ENABLE ROW LEVEL SECURITY;
ALTER TABLE commission_rate FORCE ROW LEVEL SECURITY;
CREATE POLICY commission_rate_scope ON commission_rate FOR ALL USING ((SELECT app.sees_all()));

REVOKE INSERT, UPDATE, DELETE ON commission_rate FROM copydesk_app;
