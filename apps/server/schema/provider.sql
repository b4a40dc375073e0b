-- Written by `npm run generate` from a migrated database. Do not edit.

-- White-label operators.
CREATE TABLE provider (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  name text NOT NULL,
  display_name text NOT NULL,
  payment_split_percentage numeric(5,4) NOT NULL DEFAULT 0.35,
  minimum_commission_rate numeric(5,4) NOT NULL DEFAULT 0,
  supported_exchanges text[] NOT NULL DEFAULT '{}'[],
  telegram_admin_channel_id text,
  is_active boolean NOT NULL DEFAULT true,
  invoicing_enabled boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- Where payouts of the provider go. A missing address delays the payout, not the booking.
  payout_address text,
  -- Only super admins may reveal exchange secrets of this provider.
  reveal_super_only boolean NOT NULL DEFAULT false,
  CONSTRAINT provider_display_name_check CHECK (display_name <> ''),
  CONSTRAINT provider_minimum_commission_rate_check
    CHECK (minimum_commission_rate >= 0::numeric AND minimum_commission_rate <= 1::numeric),
  CONSTRAINT provider_name_check CHECK (name <> ''),
  CONSTRAINT provider_name_key UNIQUE (name),
  CONSTRAINT provider_payment_split_percentage_check
    CHECK (payment_split_percentage >= 0::numeric AND payment_split_percentage <= 1::numeric),
  CONSTRAINT provider_payout_address_check CHECK (payout_address ~ '^0x[0-9a-fA-F]{40}$'),
  CONSTRAINT provider_pkey PRIMARY KEY (id)
);

ALTER TABLE provider ENABLE ROW LEVEL SECURITY;
ALTER TABLE provider FORCE ROW LEVEL SECURITY;
CREATE POLICY provider_scope ON provider FOR ALL
  USING ((SELECT app.sees_all()) OR (id = ANY (((SELECT app.provider_ids()))::uuid[])))
  WITH CHECK ((SELECT app.sees_all()));

CREATE TRIGGER payout_address_changed AFTER UPDATE OF payout_address ON provider FOR EACH ROW
  WHEN (lower(new.payout_address) IS DISTINCT FROM lower(old.payout_address) AND app.is_application())
  EXECUTE FUNCTION app.note_payout_address('provider', 'id', 'payout_address');
CREATE TRIGGER payout_address_given AFTER INSERT ON provider FOR EACH ROW
  WHEN (new.payout_address IS NOT NULL AND app.is_application())
  EXECUTE FUNCTION app.note_payout_address('provider', 'id', 'payout_address');
CREATE TRIGGER provider_rate AFTER UPDATE OF minimum_commission_rate ON provider FOR EACH ROW
  WHEN (old.minimum_commission_rate IS DISTINCT FROM new.minimum_commission_rate)
  EXECUTE FUNCTION app.provider_rate_set();
CREATE TRIGGER provider_rate_first AFTER INSERT ON provider FOR EACH ROW EXECUTE FUNCTION app.provider_rate_set();
CREATE TRIGGER provider_written AFTER INSERT OR UPDATE ON provider FOR EACH ROW
  EXECUTE FUNCTION app.directory_written();
CREATE TRIGGER supported_exchanges_exist BEFORE INSERT OR UPDATE OF supported_exchanges ON provider FOR EACH ROW
  EXECUTE FUNCTION app.check_supported_exchanges();
