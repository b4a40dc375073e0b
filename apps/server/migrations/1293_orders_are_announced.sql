-- What waits for another super admin says so in lists of invoices, sales and payments: it is announced to those who see
-- orders, the super admins, when it begins to wait and when it ends. Orders of pools are announced as their pools.
CREATE FUNCTION app.announce_order(orders uuid[]) RETURNS void
  LANGUAGE sql
  SET search_path = public, pg_temp AS $$
  -- One event for many subjects of a trader, as for many invoices.
  INSERT INTO change_event (topic, entity_id, trader_id, provider_ids)
  SELECT CASE WHEN i.id IS NULL THEN 'payment' ELSE 'invoice' END, CASE WHEN count(*) = 1 THEN (array_agg(l.subject_id))[1] END,
    coalesce(i.trader_id, p.trader_id), '{}'
  FROM money_order_line l LEFT JOIN invoice i ON i.id = l.subject_id LEFT JOIN payment p ON p.id = l.subject_id
  WHERE l.order_id = ANY (orders) AND coalesce(i.trader_id, p.trader_id) IS NOT NULL
  GROUP BY (i.id IS NULL), coalesce(i.trader_id, p.trader_id)
$$;

CREATE FUNCTION app.announce_waiting_order() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  PERFORM app.announce_order(array_agg(DISTINCT o.id))
  FROM added l JOIN money_order o ON o.id = l.order_id
  WHERE o.state = 'awaiting_approval' AND o.pooled_account_id IS NULL;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
CREATE TRIGGER order_waits_announced AFTER INSERT ON money_order_line REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION app.announce_waiting_order();

CREATE FUNCTION app.announce_decided_order() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  PERFORM app.announce_order(ARRAY[NEW.id]);
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
CREATE TRIGGER order_decided_announced AFTER UPDATE OF state ON money_order FOR EACH ROW
  WHEN (OLD.state = 'awaiting_approval' AND NEW.state <> 'awaiting_approval' AND NEW.pooled_account_id IS NULL)
  EXECUTE FUNCTION app.announce_decided_order();
