-- What a trader pays beyond all that it owes is a tip while it is small, and its credit otherwise.
CREATE FUNCTION app.tip_limit() RETURNS numeric
  LANGUAGE sql STABLE
  SET search_path = public, pg_temp
BEGIN ATOMIC
  SELECT (coalesce(s.value, d.value, '"1"'::jsonb) #>> '{}')::numeric * 1000000000000000000
  FROM (VALUES ('tip_up_to_usdt')) n (name)
  LEFT JOIN platform_setting s ON s.name = n.name LEFT JOIN platform_setting_default d ON d.name = n.name;
END;
COMMENT ON FUNCTION app.tip_limit() IS 'The largest tip, base units, as far as the database knows.';
GRANT EXECUTE ON FUNCTION app.tip_limit() TO copydesk_app;

-- A higher limit takes two people, a lower one does not: tips are paid out, and credit is the trader's.
CREATE OR REPLACE FUNCTION app.setting_needs_second(setting text, previous jsonb, wanted jsonb) RETURNS boolean
  LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  CASE setting
    WHEN 'approval_above_usdt', 'write_off_above_usdt', 'payout_max_per_transaction', 'payout_max_per_day',
      'chain_max_fee_gwei', 'tip_up_to_usdt' THEN
      RETURN previous <> 'null' AND (wanted = 'null' OR (wanted #>> '{}')::numeric > (previous #>> '{}')::numeric);
    WHEN 'approver_min_hours', 'payout_address_hold_hours' THEN
      RETURN (wanted #>> '{}')::numeric < (previous #>> '{}')::numeric
        OR ((wanted #>> '{}')::numeric > (previous #>> '{}')::numeric AND (wanted #>> '{}')::numeric > 72);
    WHEN 'stop_after_set_aside' THEN
      -- Zero is the loosest.
      RETURN (previous #>> '{}')::numeric <> 0 AND ((wanted #>> '{}')::numeric = 0
        OR (wanted #>> '{}')::numeric > (previous #>> '{}')::numeric);
    WHEN 'egress_addresses' THEN
      RETURN NOT previous @> wanted;
    WHEN 'commission_rate', 'invoice_due_days', 'vip_tiers', 'community_plans' THEN
      RETURN false;
    ELSE
      RETURN true;
  END CASE;
END
$$;
