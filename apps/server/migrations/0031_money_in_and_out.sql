-- What communities paid out by day, and news of money that came in before any invoice of it.

-- A share is paid in the transaction that has its payout distributed, and stays paid: days are added up from the
-- index alone.
CREATE INDEX payable_paid ON payable (community_id, paid_at) INCLUDE (provider_id, amount_units)
  WHERE paid_at IS NOT NULL;

-- A payment that an invoice takes is told of with the invoice; one that waits for an invoice would be told of by
-- nothing. No provider has a part in it yet: super admins hear of it.
CREATE FUNCTION app.payments_booked() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO change_event (topic, entity_id, provider_ids)
  SELECT DISTINCT 'trader', trader_id, '{}'::uuid[] FROM added;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
CREATE TRIGGER payments_booked AFTER INSERT ON payment
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.payments_booked();
