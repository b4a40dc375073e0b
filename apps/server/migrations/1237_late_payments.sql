-- A payment that comes after its order ended pays it within a week: the order is revived and gives access.
ALTER TABLE exchange_bot_sale ADD COLUMN ended_at timestamptz, ADD COLUMN revived_at timestamptz;
COMMENT ON COLUMN exchange_bot_sale.ended_at IS 'When it was cancelled or expired. NULL: it is open or paid, or ended long ago.';
COMMENT ON COLUMN exchange_bot_sale.revived_at IS 'When a payment paid it after its end. NULL: none did.';
UPDATE exchange_bot_sale s SET ended_at = i.updated_at FROM invoice i
WHERE i.id = s.invoice_id AND s.cancelled_because IS NOT NULL AND i.updated_at > now() - interval '7 days';

CREATE FUNCTION app.note_end_of_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.ended_at := CASE WHEN NEW.cancelled_because IS NOT NULL THEN coalesce(OLD.ended_at, now()) END;
  RETURN NEW;
END
$$;
-- Also for workers of the version before.
CREATE TRIGGER order_ended BEFORE UPDATE OF cancelled_because ON exchange_bot_sale FOR EACH ROW
  WHEN (NEW.cancelled_because IS DISTINCT FROM OLD.cancelled_because) EXECUTE FUNCTION app.note_end_of_order();

CREATE FUNCTION app.revivable_orders(traders uuid[]) RETURNS SETOF uuid
  LANGUAGE sql STABLE
  SET search_path = public, pg_temp
BEGIN ATOMIC
  SELECT s.invoice_id FROM (
    -- Orders of one plan at one price are the same to their buyer: the last one counts.
    SELECT DISTINCT ON (e.trader_id, e.plan_id, i.amount_units) e.invoice_id, e.trader_id, e.bot_id, e.coupon_id, e.ended_at
    FROM exchange_bot_sale e JOIN invoice i ON i.id = e.invoice_id
    WHERE e.trader_id = ANY (traders) AND e.ended_at > now() - interval '7 days' AND e.cancelled_because IS NOT NULL
      AND i.status = 'cancelled' AND i.paid_units = 0 AND NOT i.is_archived
    ORDER BY e.trader_id, e.plan_id, i.amount_units, e.ended_at DESC, e.created_at DESC, e.invoice_id) s
  JOIN exchange_bot b ON b.id = s.bot_id AND b.is_active
  JOIN community c ON c.id = b.community_id AND NOT c.is_archived
  LEFT JOIN exchange_bot_coupon k ON k.id = s.coupon_id
  -- Whoever has bought since does not mean the earlier order.
  WHERE NOT EXISTS (SELECT FROM exchange_bot_sale o
      WHERE o.trader_id = s.trader_id AND o.bot_id = s.bot_id AND o.sold_at >= s.ended_at)
    -- The end gave the use of its coupon back, and another order may have taken it.
    AND (k.max_uses IS NULL OR k.max_uses > (SELECT count(*) FROM exchange_bot_sale o
      WHERE o.coupon_id = k.id AND o.cancelled_because IS NULL))
    AND (k.max_uses_per_user IS NULL OR k.max_uses_per_user > (SELECT count(*) FROM exchange_bot_sale o
      WHERE o.coupon_id = k.id AND o.cancelled_because IS NULL AND o.trader_id = s.trader_id));
END;
COMMENT ON FUNCTION app.revivable_orders(uuid[]) IS
  'Orders with bots that ended within seven days and that a payment of exactly their amount still pays.';
GRANT EXECUTE ON FUNCTION app.revivable_orders(uuid[]) TO copydesk_app;

CREATE OR REPLACE FUNCTION app.bot_invoice_settled() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  sale exchange_bot_sale;
  begins timestamptz;
BEGIN
  SELECT * INTO sale FROM exchange_bot_sale s WHERE s.invoice_id = NEW.id;
  IF sale.invoice_id IS NULL THEN RETURN NULL; END IF;
  IF NEW.status = 'paid' THEN
    SELECT greatest(NEW.paid_at, max(s.access_until)) INTO begins FROM exchange_bot_sale s
    WHERE s.trader_id = sale.trader_id AND s.bot_id = sale.bot_id AND s.access_until IS NOT NULL;
    UPDATE exchange_bot_sale SET sold_at = NEW.paid_at, access_from = begins,
      access_until = begins + sale.days * interval '24 hours', cancelled_because = NULL,
      revived_at = CASE WHEN OLD.status = 'cancelled' THEN NEW.paid_at ELSE revived_at END
    WHERE invoice_id = NEW.id;
  ELSE
    UPDATE exchange_bot_sale SET sold_at = NULL, access_from = NULL, access_until = NULL WHERE invoice_id = NEW.id;
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION app.take_payments(payments uuid[], invoices uuid[], units numeric[]) RETURNS void
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
    AND (i.status = 'pending' OR i.settled_by = 'chain'
      -- An order that ended is revived by a payment of all of it, or not at all.
      OR (i.status = 'cancelled' AND a.units >= i.amount_units
        AND i.id IN (SELECT app.revivable_orders(ARRAY[p.trader_id]))));
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
  FROM (SELECT v.id, sum(g.units) AS units,
          v.status IN ('pending', 'cancelled') AND v.paid_units + sum(g.units) >= v.amount_units AS completes
        FROM unnest(invoices, units) AS g (invoice_id, units) JOIN invoice v ON v.id = g.invoice_id GROUP BY v.id) a
  WHERE i.id = a.id;
END
$$;
