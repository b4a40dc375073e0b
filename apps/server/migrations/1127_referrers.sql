-- Whom a trader was referred by is released like an address: it says who gets a share of the trader's invoices.

-- Old rows have earlier names, so nothing has to be read.
ALTER TABLE payout_address_change DROP CONSTRAINT payout_address_change_owner_kind_check,
  ADD CONSTRAINT payout_address_change_owner_kind_check CHECK (owner_kind IN ('provider', 'community',
    'community_referrer', 'trader', 'platform', 'trader_referrer')) NOT VALID;
COMMENT ON COLUMN payout_address_change.owner_id IS
  'A uuid; for the platform, the recipient type; for a trader_referrer, the trader who was referred.';
COMMENT ON COLUMN payout_address_change.address IS 'For a trader_referrer, the id of the trader who referred it.';

-- Staff, tokens and super admins, that is the API. A worker notes what a buyer's own link said, and the owner imports:
-- these, and all of before, are released.
CREATE TRIGGER referrer_changed AFTER UPDATE OF referred_by_trader_id ON trader FOR EACH ROW
  WHEN (NEW.referred_by_trader_id IS DISTINCT FROM OLD.referred_by_trader_id AND app.is_api())
  EXECUTE FUNCTION app.note_payout_address('trader_referrer', 'id', 'referred_by_trader_id');
CREATE TRIGGER referrer_given AFTER INSERT ON trader FOR EACH ROW
  WHEN (NEW.referred_by_trader_id IS NOT NULL AND app.is_api())
  EXECUTE FUNCTION app.note_payout_address('trader_referrer', 'id', 'referred_by_trader_id');

-- The one condition, for statements and triggers.
CREATE FUNCTION app.is_held(released_at timestamptz, changed_at timestamptz, hold interval) RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN released_at IS NULL OR changed_at > now() - hold;
COMMENT ON FUNCTION app.is_held(timestamptz, timestamptz, interval) IS
  'Whether a changed address is not paid to: nobody released it, or its waiting time has not passed. Never by time alone, and never at once.';
GRANT EXECUTE ON FUNCTION app.is_held(timestamptz, timestamptz, interval) TO copydesk_app;

CREATE OR REPLACE FUNCTION app.refuse_other_recipient() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT app.is_api() THEN
    RETURN NULL;
  ELSIF NOT app.sees_all() THEN
    RAISE EXCEPTION 'shares are ordered with the whole scope' USING ERRCODE = 'insufficient_privilege';
  ELSIF EXISTS (
    SELECT FROM added y JOIN taken e ON e.id = y.id
    LEFT JOIN payout o ON o.id = y.payout_id
    LEFT JOIN community c ON c.id = y.community_id
    LEFT JOIN provider p ON p.id = y.provider_id
    LEFT JOIN platform_recipient platform ON platform.recipient_type = y.recipient_type
    LEFT JOIN LATERAL (
      SELECT r.id, t.id::text AS referred_id, r.external_wallet_address AS address FROM invoice i
      JOIN trader t ON t.id = i.trader_id JOIN trader r ON r.id = t.referred_by_trader_id
      WHERE i.id = y.invoice_id) referrer ON y.recipient_type = 'trader_referrer'
    CROSS JOIN LATERAL (SELECT
      CASE y.recipient_type WHEN 'mark' THEN p.payout_address WHEN 'community' THEN c.external_wallet_address
        WHEN 'community_referrer' THEN c.referrer_wallet_address WHEN 'trader_referrer' THEN referrer.address
        ELSE platform.address END AS address,
      CASE y.recipient_type WHEN 'mark' THEN 'provider' WHEN 'community' THEN 'community'
        WHEN 'community_referrer' THEN 'community_referrer' WHEN 'trader_referrer' THEN 'trader'
        ELSE 'platform' END AS owner_kind,
      CASE y.recipient_type WHEN 'mark' THEN y.provider_id::text WHEN 'community' THEN y.community_id::text
        WHEN 'community_referrer' THEN y.community_id::text WHEN 'trader_referrer' THEN referrer.id::text
        ELSE y.recipient_type END AS owner_id) w
    WHERE (y.payout_id IS DISTINCT FROM e.payout_id OR y.recipient_address IS DISTINCT FROM e.recipient_address)
      AND CASE WHEN y.payout_id IS NULL THEN y.recipient_address IS DISTINCT FROM e.recipient_address
        ELSE o.community_id <> y.community_id OR y.recipient_address IS DISTINCT FROM o.recipient_address
          OR lower(o.recipient_address) IS DISTINCT FROM lower(coalesce(w.address, e.recipient_address))
          OR EXISTS (SELECT FROM payout_address_change h WHERE h.owner_kind = w.owner_kind AND h.owner_id = w.owner_id
            AND app.is_held(h.released_at, h.changed_at, app.address_hold()))
          OR EXISTS (SELECT FROM payout_address_change h WHERE h.owner_kind = 'trader_referrer'
            AND h.owner_id = referrer.referred_id AND app.is_held(h.released_at, h.changed_at, app.address_hold())) END)
  THEN
    RAISE EXCEPTION 'a share is paid to the present address of its recipient, after its hold'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END
$$;
