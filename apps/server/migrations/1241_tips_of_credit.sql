-- A trader's credit is turned into a tip by an order.

-- A list of names: old rows have earlier ones, so nothing has to be read.
ALTER TABLE money_order DROP CONSTRAINT money_order_act_check,
  ADD CONSTRAINT money_order_act_check CHECK (act IN ('pool_withdrawals', 'pool_return', 'pool_funding_address',
    'pool_connection', 'invoices_paid_off_platform', 'invoices_archived', 'sale_cancelled', 'sale_discounted',
    'credit_tipped')) NOT VALID;

CREATE OR REPLACE FUNCTION app.take_payments(payments uuid[], invoices uuid[], units numeric[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  taken integer;
  tipped integer;
BEGIN
  IF cardinality(invoices) <> cardinality(payments) OR cardinality(units) <> cardinality(payments)
    OR EXISTS (SELECT FROM unnest(units) AS g (units) WHERE g.units <> trunc(g.units)) THEN
    RAISE EXCEPTION 'each payment is taken for an invoice, in base units' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM FROM invoice i WHERE i.id = ANY (invoices) ORDER BY i.id FOR NO KEY UPDATE;
  -- What is left of a payment that paid this invoice already is a tip on it.
  WITH more AS (
    UPDATE invoice_payment m SET amount_units = m.amount_units + g.units, tip_units = m.tip_units + g.units
    FROM unnest(payments, invoices, units) AS g (payment_id, invoice_id, units), invoice i
    WHERE m.payment_id = g.payment_id AND m.invoice_id = g.invoice_id AND i.id = g.invoice_id AND i.settled_by = 'chain'
    RETURNING i.community_id, m.provider_id, app.utc_day(m.received_at) AS day, g.units),
  added AS (
    UPDATE community_day d SET received_units = d.received_units + s.units
    FROM (SELECT e.community_id, e.provider_id, e.day, sum(e.units) AS units FROM more e GROUP BY 1, 2, 3) s
    WHERE d.community_id = s.community_id AND d.day = s.day AND d.provider_id IS NOT DISTINCT FROM s.provider_id)
  SELECT count(*) INTO tipped FROM more;
  -- A tip is what goes beyond the amount, in the order of the arrays.
  INSERT INTO invoice_payment (payment_id, invoice_id, provider_id, amount_units, tip_units, transaction_hash, received_at)
  SELECT p.id, i.id, i.provider_id, a.units, least(a.units, greatest(i.paid_units + a.units_so_far - i.amount_units, 0)),
    p.transaction_hash, p.received_at
  FROM (SELECT g.payment_id, g.invoice_id, g.units,
          sum(g.units) OVER (PARTITION BY g.invoice_id ORDER BY g.place ROWS UNBOUNDED PRECEDING) AS units_so_far
        FROM unnest(payments, invoices, units) WITH ORDINALITY AS g (payment_id, invoice_id, units, place)) a
  JOIN payment p ON p.id = a.payment_id
  JOIN invoice i ON i.id = a.invoice_id AND i.trader_id = p.trader_id AND i.harvest_cycle_id IS NULL
    AND (i.status = 'pending' OR i.settled_by = 'chain'
      -- An order that ended is revived by a payment of all of it, or not at all.
      OR (i.status = 'cancelled' AND a.units >= i.amount_units
        AND i.id IN (SELECT app.revivable_orders(ARRAY[p.trader_id]))))
  WHERE NOT EXISTS (SELECT FROM invoice_payment m WHERE m.payment_id = p.id AND m.invoice_id = i.id
    AND i.settled_by = 'chain');
  GET DIAGNOSTICS taken = ROW_COUNT;
  IF taken + tipped <> cardinality(payments) THEN
    RAISE EXCEPTION 'a payment is taken for an open invoice of its trader, or for one that was paid on chain'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  -- Small tips are left over; what is more is the trader's credit, and a tip only where an order says so.
  IF EXISTS (
    SELECT FROM unnest(payments, invoices) AS g (payment_id, invoice_id)
    JOIN invoice_payment m ON m.payment_id = g.payment_id AND m.invoice_id = g.invoice_id
    WHERE m.tip_units > greatest(app.tip_limit(), 1000000000000) AND NOT EXISTS (
      SELECT FROM money_order_line l JOIN money_order o ON o.id = l.order_id
      WHERE l.subject_id = m.payment_id AND l.amount_units >= m.tip_units AND o.act = 'credit_tipped'
        AND o.state = 'approved' AND greatest(o.requested_at, o.decided_at) = now())) THEN
    RAISE EXCEPTION 'credit becomes a tip by an order' USING ERRCODE = 'integrity_constraint_violation';
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
  FROM (SELECT v.id, sum(g.units) AS units,
          v.status IN ('pending', 'cancelled') AND v.paid_units + sum(g.units) >= v.amount_units AS completes
        FROM unnest(invoices, units) AS g (invoice_id, units) JOIN invoice v ON v.id = g.invoice_id GROUP BY v.id) a
  WHERE i.id = a.id;
END
$$;
