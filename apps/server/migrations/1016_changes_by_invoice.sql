-- Change events name the invoice or the payment that changed, so consoles reload what is on screen without guessing.
ALTER TABLE change_event
  ALTER COLUMN entity_id DROP NOT NULL,
  ADD COLUMN trader_id uuid,
  DROP CONSTRAINT change_event_topic_check,
  ADD CONSTRAINT change_event_topic_check
    CHECK (topic IN ('trader', 'community', 'provider', 'payout', 'invoice', 'payment'));
COMMENT ON COLUMN change_event.entity_id IS
  'The changed object. NULL: one statement changed many invoices, and the event stands for all of a trader.';
COMMENT ON COLUMN change_event.trader_id IS 'The trader of a changed invoice or payment.';

-- The sums follow. Providers of the invoices, before or now, receive the change. A statement that writes many invoices
-- raises one event a trader: consoles reload everything after 500 events at once.
CREATE OR REPLACE FUNCTION app.invoices_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text;
  ids uuid[];
  traders uuid[];
  providers uuid[];
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(id), array_agg(trader_id), array_agg(provider_id) INTO ids, traders, providers FROM added;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(id), array_agg(trader_id), array_agg(provider_id) INTO ids, traders, providers FROM taken;
  ELSE
    SELECT array_agg(id), array_agg(trader_id), array_agg(provider_id) INTO ids, traders, providers
    FROM (SELECT id, trader_id, provider_id FROM added UNION SELECT id, trader_id, provider_id FROM taken) both_sides;
  END IF;
  IF ids IS NOT NULL THEN
    PERFORM app.refresh_invoice_sums(ARRAY(SELECT DISTINCT unnest(traders)));
    caller_scope := app.open_scope();
    INSERT INTO change_event (topic, entity_id, trader_id, provider_ids)
    SELECT 'invoice', w.id, w.trader_id,
      coalesce(array_agg(DISTINCT w.provider_id) FILTER (WHERE w.provider_id IS NOT NULL), '{}')
    FROM (SELECT CASE WHEN cardinality(ids) <= 100 THEN i.id END, i.trader_id, i.provider_id
          FROM unnest(ids, traders, providers) i (id, trader_id, provider_id)) w (id, trader_id, provider_id)
    GROUP BY w.id, w.trader_id;
    PERFORM set_config('copydesk.scope', caller_scope, true);
  END IF;
  RETURN NULL;
END
$$;

-- A payment that an invoice takes is announced with the invoice; one that waits for an invoice would otherwise go
-- unannounced. No provider has a part in it yet, so the event is for super admins.
CREATE OR REPLACE FUNCTION app.payments_booked() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO change_event (topic, entity_id, trader_id, provider_ids)
  SELECT 'payment', id, trader_id, '{}'::uuid[] FROM added;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;

-- Consoles that show the invoice, or the trader, learn whether a message arrived.
CREATE OR REPLACE FUNCTION app.message_moved() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO change_event (topic, entity_id, trader_id, provider_ids)
  VALUES (
    CASE WHEN NEW.invoice_id IS NULL THEN 'trader' ELSE 'invoice' END,
    coalesce(NEW.invoice_id, NEW.trader_id),
    CASE WHEN NEW.invoice_id IS NOT NULL THEN NEW.trader_id END,
    CASE WHEN NEW.provider_id IS NULL THEN '{}'::uuid[] ELSE ARRAY[NEW.provider_id] END);
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
