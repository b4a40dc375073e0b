-- Links of communities and providers are made and removed in the console, and so are the addresses of new ones.

ALTER TABLE community_provider
  ADD COLUMN removed_at timestamptz,
  ADD CONSTRAINT community_provider_custom_display_name_check CHECK (custom_display_name <> ''),
  ADD CONSTRAINT community_provider_removed_check CHECK (removed_at IS NULL OR NOT is_active);
COMMENT ON COLUMN community_provider.is_active IS
  'Whether traders of the community may choose the provider and connect accounts under it.';
COMMENT ON COLUMN community_provider.removed_at IS
  'A removed link stays when invoices name both: the staff of the provider still read its history by it.';
COMMENT ON COLUMN community_provider.custom_display_name IS
  'The name of the provider in this community. NULL: its own display name.';

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

-- A provider or community that is created in the console waits like one whose address is changed there: otherwise the
-- wait could be avoided by a new provider with the address. Seeded ones are created by the owner of the database.
CREATE TRIGGER payout_address_given AFTER INSERT ON provider FOR EACH ROW
  WHEN (NEW.payout_address IS NOT NULL AND CURRENT_USER = 'copydesk_app')
  EXECUTE FUNCTION app.note_payout_address('provider', 'id', 'payout_address');
CREATE TRIGGER payout_address_given AFTER INSERT ON community FOR EACH ROW
  WHEN (NEW.external_wallet_address IS NOT NULL AND CURRENT_USER = 'copydesk_app')
  EXECUTE FUNCTION app.note_payout_address('community', 'id', 'external_wallet_address');
CREATE TRIGGER referrer_address_given AFTER INSERT ON community FOR EACH ROW
  WHEN (NEW.referrer_wallet_address IS NOT NULL AND CURRENT_USER = 'copydesk_app')
  EXECUTE FUNCTION app.note_payout_address('community_referrer', 'id', 'referrer_wallet_address');
COMMENT ON TABLE payout_address_change IS
  'The latest change of each payout address. A changed address is held before it is paid to, so that a hijacked account or session gains nothing before others notice. Another super admin may release it earlier. Addresses of new providers and communities are held likewise; those of new traders, and those that the owner of the database sets (imports, manual set-up), take effect immediately.';
