-- A coupon that a person applies to an order with a bot gives up what was owed: it is a write-off of that person. One super
-- admin alone can make a coupon of almost the whole price.

-- A list of names: old rows have earlier ones, so nothing has to be read.
ALTER TABLE money_order DROP CONSTRAINT money_order_act_check,
  ADD CONSTRAINT money_order_act_check CHECK (act IN ('pool_withdrawals', 'pool_return', 'pool_funding_address',
    'pool_connection', 'invoices_paid_off_platform', 'invoices_archived', 'sale_cancelled', 'sale_discounted'))
    NOT VALID;

CREATE OR REPLACE FUNCTION app.is_write_off(act text) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN act IN ('invoices_paid_off_platform', 'invoices_archived', 'sale_cancelled', 'sale_discounted');

-- A discount is given up whatever becomes of the rest, which counts beside it.
CREATE OR REPLACE FUNCTION app.written_off_lately() RETURNS TABLE (by_id text, units numeric)
  LANGUAGE sql STABLE
  SET search_path = public, pg_temp
BEGIN ATOMIC
  SELECT w.by_id, sum(w.units) FROM (
    SELECT o.requested_by_id AS by_id, max(l.amount_units) AS units
    FROM money_order o JOIN money_order_line l ON l.order_id = o.id JOIN invoice i ON i.id = l.subject_id
    WHERE app.is_write_off(o.act) AND o.state = 'approved' AND o.amount_units > 0
      AND o.requested_at > now() - interval '24 hours'
      -- What is ordered in this transaction counts before it is done.
      AND (i.status = 'cancelled' OR i.settled_by = 'manual' OR (i.status = 'pending' AND i.is_archived)
        OR o.act = 'sale_discounted' OR o.requested_at = now())
    GROUP BY o.requested_by_id, l.subject_id, o.act = 'sale_discounted') w
  GROUP BY w.by_id;
END;

-- What buyers do by the bot, a worker writes: they could cancel and order again at the lower price, and owe nothing.
CREATE OR REPLACE FUNCTION app.refuse_other_terms() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  IF OLD.invoice_type <> 'exchange_bot' OR OLD.status <> 'pending' OR OLD.paid_units <> 0
    OR NEW.amount_units >= OLD.amount_units THEN
    RAISE EXCEPTION 'the terms of invoice % are frozen', OLD.id USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF app.is_api() AND NOT EXISTS (
    SELECT FROM money_order_line l JOIN money_order o ON o.id = l.order_id
    WHERE l.subject_id = NEW.id AND l.amount_units >= OLD.amount_units - NEW.amount_units
      AND o.act = 'sale_discounted' AND o.state = 'approved' AND greatest(o.requested_at, o.decided_at) = now())
  THEN
    RAISE EXCEPTION 'what is owed is lowered by an order' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$$;

COMMENT ON TABLE invoice IS
  'Invoices. The terms of an invoice are frozen when it is created, except that a coupon may lower an order with a bot before anything was paid: by its buyer, or by an order of a person. Apart from that only its state changes, and it is never deleted.';
