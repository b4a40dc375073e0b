-- What was paid on an invoice follows from payments. A function takes from a payment what is left of it, for an invoice of
-- the same trader; the API's role can change neither side without it.

CREATE FUNCTION app.take_payments(payments uuid[], invoices uuid[], units numeric[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  taken integer;
BEGIN
  IF cardinality(invoices) <> cardinality(payments) OR cardinality(units) <> cardinality(payments)
    OR EXISTS (SELECT FROM unnest(units) AS g (units) WHERE g.units <> trunc(g.units)) THEN
    RAISE EXCEPTION 'each payment is taken for an invoice, in base units' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM FROM invoice i WHERE i.id = ANY (invoices) ORDER BY i.id FOR NO KEY UPDATE;
  -- A tip is what goes beyond the amount, in the order of the arrays.
  INSERT INTO invoice_payment (payment_id, invoice_id, provider_id, amount_units, tip_units, transaction_hash, received_at)
  SELECT p.id, i.id, i.provider_id, a.units, least(a.units, greatest(i.paid_units + a.units_so_far - i.amount_units, 0)),
    p.transaction_hash, p.received_at
  FROM (SELECT g.payment_id, g.invoice_id, g.units,
          sum(g.units) OVER (PARTITION BY g.invoice_id ORDER BY g.place ROWS UNBOUNDED PRECEDING) AS units_so_far
        FROM unnest(payments, invoices, units) WITH ORDINALITY AS g (payment_id, invoice_id, units, place)) a
  JOIN payment p ON p.id = a.payment_id
  JOIN invoice i ON i.id = a.invoice_id AND i.trader_id = p.trader_id AND i.harvest_cycle_id IS NULL
    AND (i.status = 'pending' OR i.settled_by = 'chain');
  GET DIAGNOSTICS taken = ROW_COUNT;
  IF taken <> cardinality(payments) THEN
    RAISE EXCEPTION 'a payment is taken for an open invoice of its trader, or for one that was paid on chain'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  -- A constraint keeps it from going below zero, also when two transactions take at once.
  UPDATE payment p SET open_units = p.open_units - a.units
  FROM (SELECT g.payment_id, sum(g.units) AS units
        FROM unnest(payments, units) AS g (payment_id, units) GROUP BY g.payment_id) a
  WHERE p.id = a.payment_id;
  UPDATE invoice i SET paid_units = i.paid_units + a.units, updated_at = now(),
    status = CASE WHEN a.completes THEN 'paid' ELSE i.status END,
    settled_by = CASE WHEN a.completes THEN 'chain' ELSE i.settled_by END,
    paid_at = CASE WHEN a.completes THEN now() ELSE i.paid_at END
  FROM (SELECT v.id, sum(g.units) AS units, v.status = 'pending' AND v.paid_units + sum(g.units) >= v.amount_units AS completes
        FROM unnest(invoices, units) AS g (invoice_id, units) JOIN invoice v ON v.id = g.invoice_id GROUP BY v.id) a
  WHERE i.id = a.id;
END
$$;
COMMENT ON FUNCTION app.take_payments(uuid[], uuid[], numeric[]) IS
  'Applies parts of payments, in base units, to invoices of their traders, in this order. What goes beyond an amount is a tip.';
GRANT EXECUTE ON FUNCTION app.take_payments(uuid[], uuid[], numeric[]) TO copydesk_app;

-- Workers of the version before do it themselves, and the fees of pools are paid by their transfer.
GRANT INSERT ON invoice_payment TO copydesk_worker;
GRANT UPDATE (paid_units) ON invoice TO copydesk_worker;
-- compatible: an API of the version before cannot apply what a trader paid earlier until it is restarted
REVOKE INSERT ON invoice_payment FROM copydesk_app;
-- compatible: as above
REVOKE UPDATE (paid_units) ON invoice FROM copydesk_app;
-- compatible: as above
REVOKE UPDATE (open_units) ON payment FROM copydesk_app;

-- The API makes orders with bots, which are unpaid.
CREATE FUNCTION app.refuse_paid_invoice() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a new invoice is unpaid' USING ERRCODE = 'integrity_constraint_violation';
END
$$;
CREATE TRIGGER invoice_unpaid BEFORE INSERT ON invoice FOR EACH ROW
  WHEN ((NEW.paid_units <> 0 OR NEW.off_platform_units <> 0 OR NEW.status <> 'pending' OR NEW.is_archived
    OR NEW.harvest_cycle_id IS NOT NULL) AND app.is_api())
  EXECUTE FUNCTION app.refuse_paid_invoice();

CREATE OR REPLACE FUNCTION app.refuse_write_off() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  -- Paid on chain is what `app.take_payments` made it; the fee of a pool is paid by its transfer.
  IF EXISTS (SELECT FROM added n JOIN taken e ON e.id = n.id
      WHERE n.settled_by IS DISTINCT FROM e.settled_by AND n.settled_by IN ('chain', 'pool')) THEN
    RAISE EXCEPTION 'an invoice is paid by payments' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF EXISTS (
    SELECT FROM added n JOIN taken e ON e.id = n.id
    CROSS JOIN LATERAL (SELECT CASE
      WHEN e.status <> 'pending' THEN NULL
      WHEN n.status = 'cancelled' THEN 'sale_cancelled'
      WHEN n.status = 'paid' AND n.settled_by = 'manual' THEN 'invoices_paid_off_platform'
      WHEN n.is_archived AND NOT e.is_archived THEN 'invoices_archived' END AS act) w
    WHERE w.act IS NOT NULL AND NOT EXISTS (
      SELECT FROM money_order_line l JOIN money_order o ON o.id = l.order_id
      WHERE l.subject_id = n.id AND l.amount_units >= e.amount_units - e.paid_units
        AND o.act = w.act AND o.state = 'approved' AND greatest(o.requested_at, o.decided_at) = now()))
  THEN
    RAISE EXCEPTION 'what is unpaid is written off by an order' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END
$$;
