-- What the bots of communities have sold. A sale is an invoice of type exchange_bot with what was ordered.

CREATE TABLE exchange_bot_sale (
  invoice_id uuid PRIMARY KEY REFERENCES invoice,
  bot_id uuid NOT NULL REFERENCES exchange_bot,
  trader_id uuid NOT NULL REFERENCES trader,
  plan_id uuid NOT NULL REFERENCES exchange_bot_plan,
  coupon_id uuid REFERENCES exchange_bot_coupon,
  days int NOT NULL CHECK (days > 0),
  price_units numeric(38, 0) NOT NULL CHECK (price_units > 0),
  discount_units numeric(38, 0) NOT NULL DEFAULT 0 CHECK (discount_units >= 0 AND discount_units < price_units),
  expires_at timestamptz NOT NULL,
  cancelled_because text CHECK (cancelled_because IN ('staff', 'buyer', 'expired')),
  sold_at timestamptz,
  access_from timestamptz,
  access_until timestamptz,
  created_at timestamptz NOT NULL,
  CONSTRAINT exchange_bot_sale_discount CHECK ((coupon_id IS NULL) = (discount_units = 0)),
  CONSTRAINT exchange_bot_sale_access CHECK (num_nulls(sold_at, access_from, access_until) IN (0, 3)),
  CONSTRAINT exchange_bot_sale_end CHECK (cancelled_because IS NULL OR sold_at IS NULL)
);
COMMENT ON TABLE exchange_bot_sale IS 'Orders of the plans of a bot: the invoice has the amount and the state.';
COMMENT ON COLUMN exchange_bot_sale.price_units IS 'Price of the plan when it was ordered, without the discount.';
COMMENT ON COLUMN exchange_bot_sale.expires_at IS 'When it is cancelled, unless a part was paid.';
COMMENT ON COLUMN exchange_bot_sale.sold_at IS 'When the invoice was paid. NULL: it is not.';
COMMENT ON COLUMN exchange_bot_sale.access_from IS
  'When the time that was bought begins: with the payment, or after the time that the buyer had already.';
CREATE INDEX exchange_bot_sale_by_bot ON exchange_bot_sale (bot_id, created_at DESC, invoice_id);
CREATE INDEX exchange_bot_sale_by_trader ON exchange_bot_sale (trader_id, created_at DESC);
CREATE INDEX exchange_bot_sale_by_coupon ON exchange_bot_sale (coupon_id, trader_id)
  WHERE coupon_id IS NOT NULL AND cancelled_because IS NULL;
CREATE INDEX exchange_bot_sale_open ON exchange_bot_sale (expires_at)
  WHERE sold_at IS NULL AND cancelled_because IS NULL;
CREATE INDEX exchange_bot_sale_sold ON exchange_bot_sale (bot_id, sold_at)
  INCLUDE (plan_id, coupon_id, price_units, discount_units) WHERE sold_at IS NOT NULL;
CREATE INDEX exchange_bot_sale_until ON exchange_bot_sale (bot_id, access_until) INCLUDE (trader_id, invoice_id)
  WHERE access_until IS NOT NULL;
CREATE INDEX exchange_bot_sale_of_trader ON exchange_bot_sale (trader_id, bot_id, access_until)
  WHERE access_until IS NOT NULL;

ALTER TABLE exchange_bot_sale ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_bot_sale FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_bot_sale_scope ON exchange_bot_sale FOR ALL USING ((SELECT app.sees_all()));
GRANT SELECT, INSERT ON exchange_bot_sale TO copydesk_app;
GRANT UPDATE (coupon_id, discount_units, cancelled_because, sold_at, access_from, access_until)
  ON exchange_bot_sale TO copydesk_app;

-- Whatever settles an invoice gives the access that it sold, and whatever takes that back ends it: a payment on chain, a
-- person who marks it. Times of one buyer follow each other.
CREATE FUNCTION app.bot_invoice_settled() RETURNS trigger LANGUAGE plpgsql AS $$
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
      access_until = begins + sale.days * interval '24 hours'
    WHERE invoice_id = NEW.id;
  ELSE
    UPDATE exchange_bot_sale SET sold_at = NULL, access_from = NULL, access_until = NULL WHERE invoice_id = NEW.id;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER bot_invoice_settled AFTER UPDATE OF status ON invoice FOR EACH ROW
  WHEN (NEW.invoice_type = 'exchange_bot' AND NEW.status IS DISTINCT FROM OLD.status)
  EXECUTE FUNCTION app.bot_invoice_settled();

-- A coupon changes the amount of an order that nothing was paid on. No other invoice ever changes its terms.
GRANT UPDATE (amount_units, split) ON invoice TO copydesk_app;
CREATE FUNCTION app.refuse_other_terms() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.invoice_type <> 'exchange_bot' OR OLD.status <> 'pending' OR OLD.paid_units <> 0
    OR NEW.amount_units >= OLD.amount_units THEN
    RAISE EXCEPTION 'the terms of invoice % are frozen', OLD.id USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER invoice_terms BEFORE UPDATE OF amount_units, split ON invoice FOR EACH ROW
  WHEN (current_user = 'copydesk_app'
    AND (NEW.amount_units, NEW.split) IS DISTINCT FROM (OLD.amount_units, OLD.split))
  EXECUTE FUNCTION app.refuse_other_terms();

-- A buyer is known by its Telegram id.
CREATE INDEX trader_by_telegram ON trader (telegram_user_id, community_id) WHERE telegram_user_id <> '';

COMMENT ON TABLE invoice IS
  'Invoices. The terms of an invoice are frozen when it is created, except that a coupon may lower an order with a bot before anything was paid. Apart from that only its state changes, and it is never deleted.';
