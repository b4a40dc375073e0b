-- An entry of the audit about an order or a run of invoices says what it is, instead of an id.

CREATE FUNCTION app.audit_order_name(order_id uuid) RETURNS text
  LANGUAGE plpgsql STABLE
AS $$
DECLARE
  placed money_order;
  owner_name text;
  -- As amounts are written on screen: thousands, two places, and up to six.
  amount text;
  -- Lines are numbered from 1: counting those of a large order would read all of them.
  invoices text;
BEGIN
  SELECT * INTO placed FROM money_order o WHERE o.id = audit_order_name.order_id;
  IF placed.id IS NULL THEN RETURN NULL; END IF;
  SELECT ' of ' || c.name INTO owner_name FROM community c WHERE c.id = placed.community_id;
  owner_name := coalesce(owner_name, '');
  amount := to_char(placed.amount_units / 1e18, 'FM999,999,999,999,990.009999') || ' USDT';
  IF app.is_write_off(placed.act) THEN
    SELECT CASE max(l.place) WHEN 1 THEN '1 invoice' ELSE to_char(max(l.place), 'FM999,990') || ' invoices' END
      INTO invoices FROM money_order_line l WHERE l.order_id = placed.id;
  END IF;
  RETURN CASE placed.act
    WHEN 'pool_withdrawals' THEN format('a withdrawal of %s from the pool%s', amount, owner_name)
    WHEN 'pool_return' THEN format('the return of a deposit of %s from the pool%s', amount, owner_name)
    WHEN 'pool_funding_address' THEN format('a funding address of the pool%s', owner_name)
    WHEN 'pool_connection' THEN format('connecting the pool%s', owner_name)
    WHEN 'invoices_paid_off_platform' THEN format('marking %s%s as paid off-platform, %s unpaid',
      invoices, owner_name, amount)
    WHEN 'invoices_archived' THEN format('archiving %s%s, %s unpaid', invoices, owner_name, amount)
    WHEN 'invoices_recalled' THEN format('recalling %s%s, %s', invoices, owner_name, amount)
    WHEN 'sale_cancelled' THEN format('cancelling an order with the bot%s, %s unpaid', owner_name, amount)
    WHEN 'sale_discounted' THEN format('a discount of %s on an order with the bot%s', amount, owner_name)
    WHEN 'credit_tipped' THEN format('turning %s of credit%s into a tip', amount, owner_name)
    WHEN 'credit_returned' THEN format('sending %s of credit%s back', amount, owner_name)
    ELSE replace(placed.act, '_', ' ') || ', ' || amount
  END;
END $$;
COMMENT ON FUNCTION app.audit_order_name IS 'What an order does, in words; NULL: there is no such order.';
GRANT EXECUTE ON FUNCTION app.audit_order_name TO copydesk_app;

CREATE OR REPLACE FUNCTION app.audit_target_name(target_kind text, target_id text) RETURNS text
  LANGUAGE plpgsql STABLE
AS $$
DECLARE
  target uuid;
BEGIN
  IF target_id !~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' THEN
    RETURN NULL;
  END IF;
  target := target_id::uuid;
  IF target_kind = 'trader' THEN
    RETURN (SELECT coalesce(t.reference_number, nullif(t.telegram_username, ''), t.name) FROM trader t
      WHERE t.id = target);
  ELSIF target_kind = 'community' THEN
    RETURN (SELECT c.name FROM community c WHERE c.id = target);
  ELSIF target_kind = 'provider' THEN
    RETURN (SELECT p.display_name FROM provider p WHERE p.id = target);
  ELSIF target_kind = 'user' THEN
    RETURN (SELECT p.email FROM identity.person p WHERE p.id = target);
  ELSIF target_kind = 'service_token' THEN
    RETURN (SELECT s.name FROM identity.service_token s WHERE s.id = target);
  ELSIF target_kind = 'invoice' THEN
    RETURN (SELECT coalesce(t.reference_number, nullif(t.telegram_username, ''), t.name)
      FROM invoice i JOIN trader t ON t.id = i.trader_id WHERE i.id = target);
  ELSIF target_kind = 'pool' THEN
    RETURN (SELECT c.name FROM pooled_account a JOIN community c ON c.id = a.community_id WHERE a.id = target);
  ELSIF target_kind = 'wallet' THEN
    RETURN (SELECT w.address FROM chain_wallet w WHERE w.id = target);
  ELSIF target_kind = 'payout' THEN
    RETURN (SELECT c.name FROM payout o JOIN community c ON c.id = o.community_id WHERE o.id = target);
  ELSIF target_kind = 'order' THEN
    RETURN app.audit_order_name(target);
  ELSIF target_kind = 'invoicing_run' THEN
    RETURN (SELECT coalesce(t.reference_number, nullif(t.telegram_username, ''), t.name, c.name, 'all traders')
      FROM invoicing_run r LEFT JOIN trader t ON t.id = r.trader_id LEFT JOIN community c ON c.id = r.community_id
      WHERE r.id = target);
  END IF;
  RETURN NULL;
END $$;
