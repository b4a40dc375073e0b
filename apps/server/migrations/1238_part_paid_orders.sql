-- An order that was paid in part is ended by a person: what was paid becomes the credit of its buyer.
ALTER TABLE exchange_bot_sale ADD COLUMN credit_units numeric(38, 0) CHECK (credit_units > 0),
  ADD COLUMN credit_noted_at timestamptz;
COMMENT ON COLUMN exchange_bot_sale.credit_units IS
  'What was paid of it when a person ended it, and became credit. NULL: nothing.';
COMMENT ON COLUMN exchange_bot_sale.credit_noted_at IS
  'When the message about the credit was written, or the buyer turned out to have no chat. NULL: not yet.';
-- compatible: the column is new
GRANT UPDATE (credit_noted_at) ON exchange_bot_sale TO copydesk_app;

CREATE FUNCTION app.end_part_paid_order(ended uuid) RETURNS numeric
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  given numeric;
BEGIN
  PERFORM FROM invoice i WHERE i.id = ended AND i.invoice_type = 'exchange_bot' AND i.status = 'pending'
    AND i.paid_units > 0 AND EXISTS (
      SELECT FROM money_order_line l JOIN money_order o ON o.id = l.order_id
      WHERE l.subject_id = i.id AND l.amount_units >= i.amount_units - i.paid_units
        AND o.act = 'sale_cancelled' AND o.state = 'approved' AND greatest(o.requested_at, o.decided_at) = now())
    FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'an order that was paid in part is ended by an order of a person'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  UPDATE payment p SET open_units = p.open_units + m.amount_units FROM invoice_payment m
  WHERE m.payment_id = p.id AND m.invoice_id = ended;
  UPDATE community_day d SET received_units = d.received_units - g.units
  FROM (SELECT i.community_id, m.provider_id, app.utc_day(m.received_at) AS day, sum(m.amount_units) AS units
        FROM invoice_payment m JOIN invoice i ON i.id = m.invoice_id WHERE m.invoice_id = ended GROUP BY 1, 2, 3) g
  WHERE d.community_id = g.community_id AND d.day = g.day AND d.provider_id IS NOT DISTINCT FROM g.provider_id;
  WITH taken AS (DELETE FROM invoice_payment m WHERE m.invoice_id = ended RETURNING m.amount_units)
  SELECT sum(amount_units) INTO given FROM taken;
  UPDATE invoice SET status = 'cancelled', paid_units = 0, updated_at = now() WHERE id = ended;
  UPDATE exchange_bot_sale SET cancelled_because = 'staff', credit_units = given WHERE invoice_id = ended;
  RETURN given;
END
$$;
COMMENT ON FUNCTION app.end_part_paid_order(uuid) IS
  'Ends an order with a bot in the transaction of the order of a person, and gives what was paid back to the payments it came from. Base units.';
GRANT EXECUTE ON FUNCTION app.end_part_paid_order(uuid) TO copydesk_app;
