-- The run at its weekly time may be a draft. That takes two people: no trader is invoiced until a person sends it.
CREATE OR REPLACE FUNCTION app.setting_needs_second(setting text, previous jsonb, wanted jsonb) RETURNS boolean
  LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  CASE setting
    WHEN 'approval_above_usdt', 'write_off_above_usdt', 'payout_max_per_transaction', 'payout_max_per_day',
      'chain_max_fee_gwei', 'tip_up_to_usdt', 'minimum_invoice_usdt',
      'minimum_payout_usdt' THEN
      RETURN previous <> 'null' AND (wanted = 'null' OR (wanted #>> '{}')::numeric > (previous #>> '{}')::numeric);
    WHEN 'approver_min_hours', 'payout_address_hold_hours' THEN
      RETURN (wanted #>> '{}')::numeric < (previous #>> '{}')::numeric
        OR ((wanted #>> '{}')::numeric > (previous #>> '{}')::numeric AND (wanted #>> '{}')::numeric > 72);
    WHEN 'stop_after_set_aside' THEN
      -- Zero is the loosest.
      RETURN (previous #>> '{}')::numeric <> 0 AND ((wanted #>> '{}')::numeric = 0
        OR (wanted #>> '{}')::numeric > (previous #>> '{}')::numeric);
    WHEN 'scheduled_invoicing' THEN
      RETURN wanted = '"draft"' AND previous <> wanted;
    WHEN 'egress_addresses' THEN
      RETURN NOT previous @> wanted;
    WHEN 'commission_rate', 'invoice_due_days', 'vip_tiers', 'community_plans' THEN
      RETURN false;
    ELSE
      RETURN true;
  END CASE;
END
$$;
