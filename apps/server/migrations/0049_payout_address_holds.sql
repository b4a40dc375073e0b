-- A payout address that was changed is not paid to at once: whoever takes over an account, or a screen, gains nothing
-- before others have seen it. Another super admin may release it earlier. Addresses that come with a new row, that were
-- there before, or that the owner of the database sets (imports, set-up by hand) are effective at once.

CREATE TABLE payout_address_change (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  owner_kind text NOT NULL CHECK (owner_kind IN ('provider', 'community', 'community_referrer', 'trader', 'platform')),
  -- A uuid; of the platform the type of its recipient.
  owner_id text NOT NULL,
  address text,
  previous_address text,
  changed_at timestamptz NOT NULL DEFAULT now(),
  changed_by_id text NOT NULL,
  -- Who let it be paid to before its time.
  released_at timestamptz,
  released_by_id text,
  released_by text,
  -- The latest change of an address counts; the ones before are in the audit.
  UNIQUE (owner_kind, owner_id),
  CHECK ((released_at IS NULL) = (released_by_id IS NULL) AND (released_at IS NULL) = (released_by IS NULL)),
  CHECK (released_by_id <> changed_by_id)
);
ALTER TABLE payout_address_change ENABLE ROW LEVEL SECURITY;
ALTER TABLE payout_address_change FORCE ROW LEVEL SECURITY;
CREATE POLICY payout_address_change_scope ON payout_address_change USING ((SELECT app.sees_all()));
REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON payout_address_change FROM copydesk_app;
GRANT UPDATE (released_at, released_by_id, released_by) ON payout_address_change TO copydesk_app;

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
CREATE TRIGGER payout_address_changed AFTER UPDATE OF external_wallet_address ON trader
  FOR EACH ROW WHEN (lower(NEW.external_wallet_address) IS DISTINCT FROM lower(OLD.external_wallet_address)
    AND current_user = 'copydesk_app')
  EXECUTE FUNCTION app.note_payout_address('trader', 'id', 'external_wallet_address');
CREATE TRIGGER payout_address_changed AFTER UPDATE OF address ON platform_recipient
  FOR EACH ROW WHEN (lower(NEW.address) IS DISTINCT FROM lower(OLD.address) AND current_user = 'copydesk_app')
  EXECUTE FUNCTION app.note_payout_address('platform', 'recipient_type', 'address');
