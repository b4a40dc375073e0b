-- A payout goes to the address that its recipient has, and stays as it was ordered: the API chooses neither.

CREATE FUNCTION app.address_hold() RETURNS interval
  LANGUAGE sql STABLE
  SET search_path = public, pg_temp
BEGIN ATOMIC
  SELECT (coalesce(s.value, d.value, '0'::jsonb) #>> '{}')::numeric * interval '1 hour'
  FROM (VALUES ('payout_address_hold_hours')) n (name)
  LEFT JOIN platform_setting s ON s.name = n.name LEFT JOIN platform_setting_default d ON d.name = n.name;
END;
COMMENT ON FUNCTION app.address_hold() IS 'How long a changed payout address is held, as far as the database knows: by a setting, or the default that a worker noted.';
GRANT EXECUTE ON FUNCTION app.address_hold() TO copydesk_app;

-- pending-shares.views.ts has the same addresses, and their holds. By statement: an order takes thousands of shares.
CREATE FUNCTION app.refuse_other_recipient() RETURNS trigger
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
      SELECT r.id, r.external_wallet_address AS address FROM invoice i
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
            AND (h.released_at IS NULL OR h.changed_at > now() - app.address_hold())) END)
  THEN
    RAISE EXCEPTION 'a share is paid to the present address of its recipient, after its hold'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER payables_to_known_addresses AFTER UPDATE ON payable
  REFERENCING OLD TABLE AS taken NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_other_recipient();

-- compatible: the version before does not write these columns in the API's role, and removes no row
REVOKE UPDATE, DELETE ON payout, payable FROM copydesk_app;
GRANT UPDATE (status, version, problem, consolidate_transaction_hash, distribute_transaction_hash, ordered_at, ordered_by_id,
    updated_at)
  ON payout TO copydesk_app;
GRANT UPDATE (payout_id, recipient_address, settled_at) ON payable TO copydesk_app;
GRANT UPDATE ON payout, payable TO copydesk_worker;
-- compatible: as above
REVOKE DELETE ON distribution, pooled_account, harvest_cycle, harvest_funding, harvest_resolution FROM copydesk_app;
