-- Written by `npm run generate` from a migrated database. Do not edit.

-- Orders of the plans of a bot: the invoice has the amount and the state.
CREATE TABLE exchange_bot_sale (
  invoice_id uuid NOT NULL,
  bot_id uuid NOT NULL,
  trader_id uuid NOT NULL,
  plan_id uuid NOT NULL,
  coupon_id uuid,
  days integer NOT NULL,
  -- Price of the plan when it was ordered, without the discount.
  price_units numeric(38,0) NOT NULL,
  discount_units numeric(38,0) NOT NULL DEFAULT 0,
  -- When it is cancelled, unless a part was paid.
  expires_at timestamptz NOT NULL,
  cancelled_because text,
  -- When the invoice was paid. NULL: it is not.
  sold_at timestamptz,
  -- When the time that was bought begins: with the payment, or after the time that the buyer had already.
  access_from timestamptz,
  access_until timestamptz,
  created_at timestamptz NOT NULL,
  -- When the message about the payment was written, or the buyer turned out to have no chat. NULL: not yet.
  paid_noted_at timestamptz,
  -- The same for the end of the time that was bought.
  ending_noted_at timestamptz,
  -- When the message about the end of the time to pay was written, or was not worth writing. NULL: not yet.
  expired_noted_at timestamptz,
  -- The part of the community when it was ordered; the rest is the platform's. 85 before it was a setting.
  community_percentage numeric(5,2) NOT NULL DEFAULT 85,
  -- When it was cancelled or expired. NULL: it is open or paid, or ended long ago.
  ended_at timestamptz,
  -- When a payment paid it after its end. NULL: none did.
  revived_at timestamptz,
  -- What was paid of it when a person ended it, and became credit. NULL: nothing.
  credit_units numeric(38,0),
  -- When the message about the credit was written, or the buyer turned out to have no chat. NULL: not yet.
  credit_noted_at timestamptz,
  CONSTRAINT exchange_bot_sale_access CHECK (num_nulls(sold_at, access_from, access_until) = ANY (ARRAY[0, 3])),
  CONSTRAINT exchange_bot_sale_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES exchange_bot(id),
  CONSTRAINT exchange_bot_sale_cancelled_because_check
    CHECK (cancelled_because = ANY (ARRAY['staff', 'buyer', 'expired'])),
  CONSTRAINT exchange_bot_sale_check CHECK (discount_units >= 0::numeric AND discount_units < price_units),
  CONSTRAINT exchange_bot_sale_community_percentage_check
    CHECK (community_percentage >= 0::numeric AND community_percentage <= 100::numeric),
  CONSTRAINT exchange_bot_sale_coupon_id_fkey FOREIGN KEY (coupon_id) REFERENCES exchange_bot_coupon(id),
  CONSTRAINT exchange_bot_sale_credit_units_check CHECK (credit_units > 0::numeric),
  CONSTRAINT exchange_bot_sale_days_check CHECK (days > 0),
  CONSTRAINT exchange_bot_sale_discount CHECK ((coupon_id IS NULL) = (discount_units = 0::numeric)),
  CONSTRAINT exchange_bot_sale_end CHECK (cancelled_because IS NULL OR sold_at IS NULL),
  CONSTRAINT exchange_bot_sale_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoice(id),
  CONSTRAINT exchange_bot_sale_pkey PRIMARY KEY (invoice_id),
  CONSTRAINT exchange_bot_sale_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES exchange_bot_plan(id),
  CONSTRAINT exchange_bot_sale_price_units_check CHECK (price_units > 0::numeric),
  CONSTRAINT exchange_bot_sale_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id)
);

CREATE INDEX exchange_bot_sale_by_bot ON exchange_bot_sale (bot_id, created_at DESC, invoice_id);
CREATE INDEX exchange_bot_sale_by_coupon ON exchange_bot_sale (coupon_id, trader_id)
  WHERE coupon_id IS NOT NULL AND cancelled_because IS NULL;
CREATE INDEX exchange_bot_sale_by_trader ON exchange_bot_sale (trader_id, created_at DESC);
CREATE INDEX exchange_bot_sale_credit_unnoted ON exchange_bot_sale (ended_at)
  WHERE credit_units IS NOT NULL AND credit_noted_at IS NULL;
CREATE INDEX exchange_bot_sale_ending_unnoted ON exchange_bot_sale (access_until)
  WHERE access_until IS NOT NULL AND ending_noted_at IS NULL;
CREATE INDEX exchange_bot_sale_expired_unnoted ON exchange_bot_sale (expires_at)
  WHERE cancelled_because = 'expired' AND expired_noted_at IS NULL;
CREATE INDEX exchange_bot_sale_of_trader ON exchange_bot_sale (trader_id, bot_id, access_until)
  WHERE access_until IS NOT NULL;
CREATE INDEX exchange_bot_sale_open ON exchange_bot_sale (expires_at)
  WHERE sold_at IS NULL AND cancelled_because IS NULL;
CREATE INDEX exchange_bot_sale_paid_unnoted ON exchange_bot_sale (sold_at)
  WHERE sold_at IS NOT NULL AND paid_noted_at IS NULL;
CREATE INDEX exchange_bot_sale_sold ON exchange_bot_sale (bot_id, sold_at)
  INCLUDE (plan_id, coupon_id, price_units, discount_units) WHERE sold_at IS NOT NULL;
CREATE INDEX exchange_bot_sale_until ON exchange_bot_sale (bot_id, access_until) INCLUDE (trader_id, invoice_id)
  WHERE access_until IS NOT NULL;

ALTER TABLE exchange_bot_sale ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_bot_sale FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_bot_sale_scope ON exchange_bot_sale FOR ALL
  USING ((SELECT app.sees_all()));

CREATE TRIGGER order_ended BEFORE UPDATE OF cancelled_because ON exchange_bot_sale FOR EACH ROW
  WHEN (new.cancelled_because IS DISTINCT FROM old.cancelled_because) EXECUTE FUNCTION app.note_end_of_order();
