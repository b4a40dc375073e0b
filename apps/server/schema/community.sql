-- Written by `npm run generate` from a migrated database. Do not edit.

-- Communities of traders.
CREATE TABLE community (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  name text NOT NULL,
  is_archived boolean NOT NULL DEFAULT false,
  archived_at timestamptz,
  split_percentage numeric(5,2) NOT NULL DEFAULT 5,
  trader_referral_percentage numeric(5,2) NOT NULL DEFAULT 0,
  commission_rate numeric(5,4) NOT NULL DEFAULT 0.5,
  minimum_balance numeric(20,2) NOT NULL DEFAULT 10000,
  referrer_wallet_address text,
  external_wallet_address text,
  -- Path index of the internal wallet below the platform's master public key (BIP-44).
  internal_wallet_index integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  internal_wallet_address text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  owner_name text,
  -- The person who withdraws from the exchange when a harvest starts; the platform notifies this chat.
  owner_telegram_id bigint,
  owner_language text,
  CONSTRAINT community_check CHECK (is_archived = (archived_at IS NOT NULL)),
  CONSTRAINT community_commission_rate_check CHECK (commission_rate >= 0::numeric AND commission_rate <= 1::numeric),
  CONSTRAINT community_external_wallet_address_check CHECK (external_wallet_address ~ '^0x[0-9a-fA-F]{40}$'),
  CONSTRAINT community_internal_wallet_address_check CHECK (internal_wallet_address ~ '^0x[0-9a-fA-F]{40}$'),
  CONSTRAINT community_internal_wallet_index_key UNIQUE (internal_wallet_index),
  CONSTRAINT community_minimum_balance_check CHECK (minimum_balance >= 1::numeric),
  CONSTRAINT community_name_check CHECK (name <> ''),
  CONSTRAINT community_name_key UNIQUE (name),
  CONSTRAINT community_owner_language_check CHECK (owner_language = ANY (ARRAY['en', 'es', 'ar', 'pl', 'ru'])),
  CONSTRAINT community_owner_name_check CHECK (owner_name <> ''),
  CONSTRAINT community_pkey PRIMARY KEY (id),
  CONSTRAINT community_referrer_wallet_address_check CHECK (referrer_wallet_address ~ '^0x[0-9a-fA-F]{40}$'),
  CONSTRAINT community_split_percentage_check
    CHECK (split_percentage >= 0::numeric AND split_percentage <= 100::numeric),
  CONSTRAINT community_trader_referral_percentage_check
    CHECK (trader_referral_percentage >= 0::numeric AND trader_referral_percentage <= 100::numeric)
);

ALTER TABLE community ENABLE ROW LEVEL SECURITY;
ALTER TABLE community FORCE ROW LEVEL SECURITY;
CREATE POLICY community_scope ON community FOR ALL
  USING ((SELECT app.sees_all()) OR (EXISTS (SELECT FROM community_provider cp
    WHERE cp.community_id = community.id AND (cp.provider_id = ANY (((SELECT app.provider_ids()))::uuid[])))))
  WITH CHECK ((SELECT app.sees_all()));

CREATE TRIGGER community_rate AFTER UPDATE OF commission_rate ON community FOR EACH ROW
  WHEN (old.commission_rate IS DISTINCT FROM new.commission_rate) EXECUTE FUNCTION app.community_rate_set();
CREATE TRIGGER community_rate_first AFTER INSERT ON community FOR EACH ROW EXECUTE FUNCTION app.community_rate_set();
CREATE TRIGGER community_removed BEFORE DELETE ON community FOR EACH ROW EXECUTE FUNCTION app.directory_written();
CREATE TRIGGER community_wallet_given BEFORE INSERT ON community FOR EACH ROW
  WHEN (new.internal_wallet_address IS NOT NULL AND app.is_api()) EXECUTE FUNCTION app.refuse_own_address();
CREATE TRIGGER community_wallet_kept BEFORE UPDATE ON community FOR EACH ROW
  WHEN ((new.internal_wallet_address IS DISTINCT FROM old.internal_wallet_address
  OR new.internal_wallet_index <> old.internal_wallet_index) AND app.is_api())
  EXECUTE FUNCTION app.refuse_own_address();
CREATE TRIGGER community_written AFTER INSERT OR UPDATE ON community FOR EACH ROW
  EXECUTE FUNCTION app.directory_written();
CREATE TRIGGER payout_address_changed AFTER UPDATE OF external_wallet_address ON community FOR EACH ROW
  WHEN (lower(new.external_wallet_address) IS DISTINCT FROM lower(old.external_wallet_address)
  AND app.is_application()) EXECUTE FUNCTION app.note_payout_address('community', 'id', 'external_wallet_address');
CREATE TRIGGER payout_address_given AFTER INSERT ON community FOR EACH ROW
  WHEN (new.external_wallet_address IS NOT NULL AND app.is_application())
  EXECUTE FUNCTION app.note_payout_address('community', 'id', 'external_wallet_address');
CREATE TRIGGER referrer_address_changed AFTER UPDATE OF referrer_wallet_address ON community FOR EACH ROW
  WHEN (lower(new.referrer_wallet_address) IS DISTINCT FROM lower(old.referrer_wallet_address)
  AND app.is_application())
  EXECUTE FUNCTION app.note_payout_address('community_referrer', 'id', 'referrer_wallet_address');
CREATE TRIGGER referrer_address_given AFTER INSERT ON community FOR EACH ROW
  WHEN (new.referrer_wallet_address IS NOT NULL AND app.is_application())
  EXECUTE FUNCTION app.note_payout_address('community_referrer', 'id', 'referrer_wallet_address');
