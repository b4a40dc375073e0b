-- Bots that sell subscriptions in chats of a community.

CREATE TABLE exchange_bot (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  community_id uuid NOT NULL UNIQUE REFERENCES community ON DELETE CASCADE,
  telegram_id bigint NOT NULL UNIQUE CHECK (telegram_id > 0),
  username text NOT NULL CHECK (username <> ''),
  name text NOT NULL CHECK (name <> ''),
  language text NOT NULL CHECK (language IN ('en', 'es', 'ar', 'pl', 'ru')),
  is_active boolean NOT NULL DEFAULT true,
  problem text CHECK (problem IN ('refused', 'unavailable', 'unreadable')),
  checked_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE exchange_bot IS 'Telegram bots of communities that sell access, one for each.';
COMMENT ON COLUMN exchange_bot.telegram_id IS 'The id of the bot at Telegram, which its token begins with.';
COMMENT ON COLUMN exchange_bot.name IS 'Name and username as Telegram had them at the last check.';
COMMENT ON COLUMN exchange_bot.language IS 'For people whose own language the bot does not speak.';
COMMENT ON COLUMN exchange_bot.problem IS 'Why the last check failed. NULL: it did not.';

ALTER TABLE exchange_bot ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_bot FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_bot_scope ON exchange_bot FOR ALL USING ((SELECT app.sees_all()));
-- Staff see the name of their community's bot, as everyone on Telegram does: referral links lead to it. Its token lies in
-- a table of its own.
CREATE POLICY exchange_bot_read ON exchange_bot FOR SELECT
  USING (EXISTS (SELECT FROM community c WHERE c.id = exchange_bot.community_id));

-- A connected or changed bot, and another token, are taken up at once.
CREATE TRIGGER exchange_bot_work AFTER INSERT OR UPDATE ON exchange_bot
  FOR EACH STATEMENT EXECUTE FUNCTION app.announce_work();

CREATE FUNCTION app.bot_commands_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE exchange_bot_reading SET commands_wanted = commands_wanted + 1
  WHERE bot_id = CASE WHEN TG_TABLE_NAME = 'exchange_bot' THEN (to_jsonb(NEW)->>'id')::uuid
    ELSE (coalesce(to_jsonb(NEW), to_jsonb(OLD))->>'bot_id')::uuid END;
  RETURN NULL;
END
$$;

CREATE TRIGGER exchange_bot_commands AFTER UPDATE OF is_active, language, telegram_id ON exchange_bot
  FOR EACH ROW WHEN ((NEW.is_active, NEW.language, NEW.telegram_id)
    IS DISTINCT FROM (OLD.is_active, OLD.language, OLD.telegram_id))
  EXECUTE FUNCTION app.bot_commands_changed();

CREATE TABLE exchange_bot_token (
  bot_id uuid PRIMARY KEY REFERENCES exchange_bot ON DELETE CASCADE,
  version int NOT NULL DEFAULT 1,
  ciphertext bytea NOT NULL,
  wrapped_key bytea NOT NULL,
  master_key_id text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE exchange_bot_token IS
  'The encrypted token of a bot: the value under its own key, that key wrapped by the master key.';

ALTER TABLE exchange_bot_token ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_bot_token FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_bot_token_scope ON exchange_bot_token FOR ALL USING ((SELECT app.sees_all()));

CREATE TABLE exchange_bot_plan (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  bot_id uuid NOT NULL REFERENCES exchange_bot ON DELETE CASCADE,
  name text NOT NULL CHECK (name <> ''),
  days int NOT NULL CHECK (days BETWEEN 1 AND 3650),
  amount_units numeric(38, 0) NOT NULL CHECK (amount_units > 0),
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
COMMENT ON TABLE exchange_bot_plan IS
  'What a bot sells. Price and duration never change: whoever ordered a plan keeps its terms.';
COMMENT ON COLUMN exchange_bot_plan.is_active IS 'Whether it is offered.';
COMMENT ON COLUMN exchange_bot_plan.deleted_at IS 'Gone from every list, and kept for what was sold.';
CREATE UNIQUE INDEX exchange_bot_plan_by_name ON exchange_bot_plan (bot_id, lower(name)) WHERE deleted_at IS NULL;

ALTER TABLE exchange_bot_plan ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_bot_plan FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_bot_plan_scope ON exchange_bot_plan FOR ALL USING ((SELECT app.sees_all()));

GRANT UPDATE (name, is_active, deleted_at) ON exchange_bot_plan TO copydesk_app;

CREATE TABLE exchange_bot_coupon (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  bot_id uuid NOT NULL REFERENCES exchange_bot ON DELETE CASCADE,
  code text NOT NULL CHECK (code ~ '^[A-Z0-9_-]{3,32}$'),
  percent int CHECK (percent BETWEEN 1 AND 99),
  amount_units numeric(38, 0) CHECK (amount_units > 0),
  starts_at timestamptz,
  ends_at timestamptz,
  max_uses int CHECK (max_uses > 0),
  max_uses_per_user int CHECK (max_uses_per_user > 0),
  plan_ids uuid[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  CONSTRAINT exchange_bot_coupon_kind CHECK (num_nonnulls(percent, amount_units) = 1),
  CONSTRAINT exchange_bot_coupon_period CHECK (ends_at > starts_at)
);
COMMENT ON TABLE exchange_bot_coupon IS 'Discounts of a bot. Their terms never change.';
COMMENT ON COLUMN exchange_bot_coupon.max_uses IS 'NULL: unlimited.';
COMMENT ON COLUMN exchange_bot_coupon.plan_ids IS 'The plans that it is for; none: all plans.';
CREATE UNIQUE INDEX exchange_bot_coupon_by_code ON exchange_bot_coupon (bot_id, code) WHERE deleted_at IS NULL;

ALTER TABLE exchange_bot_coupon ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_bot_coupon FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_bot_coupon_scope ON exchange_bot_coupon FOR ALL USING ((SELECT app.sees_all()));

GRANT UPDATE (deleted_at) ON exchange_bot_coupon TO copydesk_app;

CREATE TABLE exchange_bot_faq (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  bot_id uuid NOT NULL REFERENCES exchange_bot ON DELETE CASCADE,
  language text NOT NULL CHECK (language IN ('en', 'es', 'ar', 'pl', 'ru')),
  place int NOT NULL CHECK (place >= 0),
  question text NOT NULL CHECK (question <> ''),
  answer text NOT NULL CHECK (answer <> ''),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE exchange_bot_faq IS 'Questions that a bot answers, by language.';
COMMENT ON COLUMN exchange_bot_faq.place IS 'Order within a language, from 0 and without gaps.';
CREATE UNIQUE INDEX exchange_bot_faq_once ON exchange_bot_faq (bot_id, language, lower(question));
CREATE INDEX exchange_bot_faq_in_order ON exchange_bot_faq (bot_id, language, place);

ALTER TABLE exchange_bot_faq ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_bot_faq FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_bot_faq_scope ON exchange_bot_faq FOR ALL USING ((SELECT app.sees_all()));

CREATE TABLE exchange_bot_sale (
  invoice_id uuid PRIMARY KEY REFERENCES invoice,
  bot_id uuid NOT NULL REFERENCES exchange_bot,
  trader_id uuid NOT NULL REFERENCES trader,
  plan_id uuid NOT NULL REFERENCES exchange_bot_plan,
  coupon_id uuid REFERENCES exchange_bot_coupon,
  days integer NOT NULL CHECK (days > 0),
  price_units numeric(38,0) NOT NULL CHECK (price_units > 0),
  discount_units numeric(38,0) NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL,
  cancelled_because text CHECK (cancelled_because IN ('staff', 'buyer', 'expired')),
  sold_at timestamptz,
  access_from timestamptz,
  access_until timestamptz,
  created_at timestamptz NOT NULL,
  paid_noted_at timestamptz,
  ending_noted_at timestamptz,
  expired_noted_at timestamptz,
  community_percentage numeric(5,2) NOT NULL DEFAULT 85
    CHECK (community_percentage >= 0 AND community_percentage <= 100),
  ended_at timestamptz,
  revived_at timestamptz,
  credit_units numeric(38,0) CHECK (credit_units > 0),
  credit_noted_at timestamptz,
  CONSTRAINT exchange_bot_sale_access CHECK (num_nulls(sold_at, access_from, access_until) = ANY (ARRAY[0, 3])),
  CONSTRAINT exchange_bot_sale_check CHECK (discount_units >= 0 AND discount_units < price_units),
  CONSTRAINT exchange_bot_sale_discount CHECK ((coupon_id IS NULL) = (discount_units = 0)),
  CONSTRAINT exchange_bot_sale_end CHECK (cancelled_because IS NULL OR sold_at IS NULL)
);
COMMENT ON TABLE exchange_bot_sale IS 'Orders of the plans of a bot: the invoice has the amount and the state.';
COMMENT ON COLUMN exchange_bot_sale.price_units IS 'Price of the plan when it was ordered, without the discount.';
COMMENT ON COLUMN exchange_bot_sale.expires_at IS 'When it is cancelled, unless a part was paid.';
COMMENT ON COLUMN exchange_bot_sale.sold_at IS 'When the invoice was paid. NULL: it is not.';
COMMENT ON COLUMN exchange_bot_sale.access_from IS
  'When the time that was bought begins: with the payment, or after the time that the buyer had already.';
COMMENT ON COLUMN exchange_bot_sale.paid_noted_at IS
  'When the message about the payment was written, or the buyer turned out to have no chat. NULL: not yet.';
COMMENT ON COLUMN exchange_bot_sale.ending_noted_at IS 'The same for the end of the time that was bought.';
COMMENT ON COLUMN exchange_bot_sale.expired_noted_at IS
  'When the message about the end of the time to pay was written, or was not worth writing. NULL: not yet.';
COMMENT ON COLUMN exchange_bot_sale.community_percentage IS
  'The part of the community when it was ordered; the rest is the platform''s. 85 before it was a setting.';
COMMENT ON COLUMN exchange_bot_sale.ended_at IS 'When it was cancelled or expired. NULL: it is open or paid, or ended long ago.';
COMMENT ON COLUMN exchange_bot_sale.revived_at IS 'When a payment paid it after its end. NULL: none did.';
COMMENT ON COLUMN exchange_bot_sale.credit_units IS
  'What was paid of it when a person ended it, and became credit. NULL: nothing.';
COMMENT ON COLUMN exchange_bot_sale.credit_noted_at IS
  'When the message about the credit was written, or the buyer turned out to have no chat. NULL: not yet.';
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
CREATE INDEX exchange_bot_sale_paid_unnoted ON exchange_bot_sale (sold_at)
  WHERE sold_at IS NOT NULL AND paid_noted_at IS NULL;
CREATE INDEX exchange_bot_sale_ending_unnoted ON exchange_bot_sale (access_until)
  WHERE access_until IS NOT NULL AND ending_noted_at IS NULL;
CREATE INDEX exchange_bot_sale_expired_unnoted ON exchange_bot_sale (expires_at)
  WHERE cancelled_because = 'expired' AND expired_noted_at IS NULL;
-- Workers look for what buyers were not told yet every second.
CREATE INDEX exchange_bot_sale_credit_unnoted ON exchange_bot_sale (ended_at)
  WHERE credit_units IS NOT NULL AND credit_noted_at IS NULL;

ALTER TABLE exchange_bot_sale ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_bot_sale FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_bot_sale_scope ON exchange_bot_sale FOR ALL USING ((SELECT app.sees_all()));

CREATE FUNCTION app.note_end_of_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.ended_at := CASE WHEN NEW.cancelled_because IS NOT NULL THEN coalesce(OLD.ended_at, now()) END;
  RETURN NEW;
END
$$;

-- Also for workers of the version before.
CREATE TRIGGER order_ended BEFORE UPDATE OF cancelled_because ON exchange_bot_sale FOR EACH ROW
  WHEN (NEW.cancelled_because IS DISTINCT FROM OLD.cancelled_because) EXECUTE FUNCTION app.note_end_of_order();

GRANT UPDATE (coupon_id, discount_units, cancelled_because, sold_at, access_from, access_until, paid_noted_at,
  ending_noted_at, expired_noted_at, credit_noted_at) ON exchange_bot_sale TO copydesk_app;

CREATE TABLE exchange_bot_reading (
  bot_id uuid PRIMARY KEY REFERENCES exchange_bot ON DELETE CASCADE,
  telegram_id bigint NOT NULL,
  last_update_id bigint,
  last_update_at timestamptz,
  answered_by uuid,
  lease_number bigint NOT NULL DEFAULT 0,
  leased_until timestamptz,
  read_at timestamptz,
  problem text CHECK (problem IN ('refused', 'unreadable', 'other_reader', 'webhook', 'unavailable')),
  problem_at timestamptz,
  stopped_at timestamptz,
  commands_wanted bigint NOT NULL DEFAULT 1,
  commands_set bigint NOT NULL DEFAULT 0,
  CONSTRAINT exchange_bot_reading_lease CHECK ((answered_by IS NULL) = (leased_until IS NULL)),
  CONSTRAINT exchange_bot_reading_problem CHECK ((problem IS NULL) = (problem_at IS NULL))
);
COMMENT ON TABLE exchange_bot_reading IS 'How far the updates of a bot are handled, and which worker reads them.';
COMMENT ON COLUMN exchange_bot_reading.telegram_id IS
  'The bot whose updates are counted: another one, after its token was replaced, has numbers of its own.';
COMMENT ON COLUMN exchange_bot_reading.last_update_id IS
  'Up to here every update is handled. Later ones may be, in exchange_bot_handled_update, while an earlier one is not.';
COMMENT ON COLUMN exchange_bot_reading.answered_by IS 'The worker that reads the bot, until its lease ends.';
COMMENT ON COLUMN exchange_bot_reading.lease_number IS
  'Counts the workers: one that has lost its lease can no longer advance last_update_id.';
COMMENT ON COLUMN exchange_bot_reading.read_at IS 'When Telegram last answered a request for updates.';
COMMENT ON COLUMN exchange_bot_reading.problem IS 'Why it did not since. NULL: it did.';
COMMENT ON COLUMN exchange_bot_reading.stopped_at IS
  'exchange_bot.updated_at of the bot that Telegram refused: reading goes on after the next change of the bot.';
COMMENT ON COLUMN exchange_bot_reading.commands_wanted IS
  'Grows with every change of the bot or its texts that the menu of commands depends on.';
COMMENT ON COLUMN exchange_bot_reading.commands_set IS 'commands_wanted of the menu that Telegram was given.';

ALTER TABLE exchange_bot_reading ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_bot_reading FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_bot_reading_scope ON exchange_bot_reading FOR ALL USING ((SELECT app.sees_all()));

CREATE TABLE exchange_bot_chat (
  bot_id uuid NOT NULL REFERENCES exchange_bot ON DELETE CASCADE,
  telegram_user_id bigint NOT NULL CHECK (telegram_user_id > 0),
  telegram_username text,
  name text,
  language text NOT NULL CHECK (language IN ('en', 'es', 'ar', 'pl', 'ru')),
  awaits_coupon_of uuid REFERENCES invoice,
  source text CHECK (source ~ '^[A-Za-z0-9_-]{1,64}$'),
  counted_from timestamptz NOT NULL,
  counted int NOT NULL DEFAULT 0 CHECK (counted >= 0),
  last_seen_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (bot_id, telegram_user_id)
);
COMMENT ON TABLE exchange_bot_chat IS 'People who have written to a bot. A bot can write to no others.';
COMMENT ON COLUMN exchange_bot_chat.awaits_coupon_of IS 'The order for which the next text is a coupon. NULL: it is not one.';
COMMENT ON COLUMN exchange_bot_chat.source IS 'The payload of the link by which the person came first.';
COMMENT ON COLUMN exchange_bot_chat.counted IS
  'Updates in the minute from counted_from. Above a limit the bot is silent until the minute is over.';

ALTER TABLE exchange_bot_chat ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_bot_chat FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_bot_chat_scope ON exchange_bot_chat FOR ALL USING ((SELECT app.sees_all()));

CREATE TABLE exchange_bot_message (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  bot_id uuid NOT NULL,
  telegram_user_id bigint NOT NULL,
  text text NOT NULL CHECK (text <> ''),
  keyboard jsonb,
  qr_text text CHECK (qr_text <> ''),
  fact_key text UNIQUE,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sent', 'failed')),
  attempts int NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  due_at timestamptz NOT NULL,
  leased_until timestamptz,
  lease_number bigint NOT NULL DEFAULT 0,
  problem text,
  problem_detail text,
  telegram_message_id bigint,
  created_at timestamptz NOT NULL,
  sent_at timestamptz,
  FOREIGN KEY (bot_id, telegram_user_id) REFERENCES exchange_bot_chat ON DELETE CASCADE,
  CONSTRAINT exchange_bot_message_sent CHECK ((state = 'sent') = (sent_at IS NOT NULL)),
  CONSTRAINT exchange_bot_message_failed CHECK (state <> 'failed' OR problem IS NOT NULL)
);
COMMENT ON TABLE exchange_bot_message IS
  'What a bot says: written in the transaction that handled the update, and sent afterwards.';
COMMENT ON COLUMN exchange_bot_message.keyboard IS 'Rows of buttons: text, and the data that a press sends back.';
COMMENT ON COLUMN exchange_bot_message.qr_text IS 'Sent as a picture of its QR code, with the text below it.';
COMMENT ON COLUMN exchange_bot_message.fact_key IS 'What is said once only, as the payment of an invoice.';
CREATE INDEX exchange_bot_message_due ON exchange_bot_message (bot_id, due_at) WHERE state = 'queued';
CREATE INDEX exchange_bot_message_of_chat ON exchange_bot_message (bot_id, telegram_user_id, created_at, id)
  WHERE state = 'queued';
CREATE INDEX exchange_bot_message_sent_last ON exchange_bot_message (bot_id, telegram_user_id, sent_at DESC)
  WHERE state = 'sent';
CREATE INDEX exchange_bot_message_old ON exchange_bot_message (sent_at) WHERE state = 'sent';
CREATE INDEX exchange_bot_message_by_state ON exchange_bot_message (bot_id, state, created_at DESC, id);
CREATE INDEX exchange_bot_message_failed ON exchange_bot_message (created_at) WHERE state = 'failed';
-- For the list of what all bots wrote, newest first.
CREATE INDEX exchange_bot_message_by_created ON exchange_bot_message (created_at DESC, id);
-- For what all bots wrote to a person that is searched for.
CREATE INDEX exchange_bot_message_by_person ON exchange_bot_message (bot_id, telegram_user_id, created_at DESC);

ALTER TABLE exchange_bot_message ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_bot_message FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_bot_message_scope ON exchange_bot_message FOR ALL USING ((SELECT app.sees_all()));

CREATE TABLE exchange_bot_text (
  bot_id uuid NOT NULL REFERENCES exchange_bot ON DELETE CASCADE,
  language text NOT NULL CHECK (language IN ('en', 'es', 'ar', 'pl', 'ru')),
  key text NOT NULL CHECK (key ~ '^[a-z_]{1,40}$'),
  text text NOT NULL CHECK (text <> ''),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (bot_id, language, key)
);
COMMENT ON TABLE exchange_bot_text IS
  'Texts of a bot in place of ours, for the version before. No later version reads them.';

ALTER TABLE exchange_bot_text ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_bot_text FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_bot_text_scope ON exchange_bot_text FOR ALL USING ((SELECT app.sees_all()));

CREATE TRIGGER exchange_bot_text_commands AFTER INSERT OR UPDATE OR DELETE ON exchange_bot_text
  FOR EACH ROW EXECUTE FUNCTION app.bot_commands_changed();

CREATE TABLE exchange_bot_handled_update (
  bot_id uuid NOT NULL REFERENCES exchange_bot ON DELETE CASCADE,
  telegram_id bigint NOT NULL,
  update_id bigint NOT NULL,
  handled_at timestamptz NOT NULL,
  PRIMARY KEY (bot_id, telegram_id, update_id)
);
COMMENT ON TABLE exchange_bot_handled_update IS
  'Each update of a bot that was handled, written in the transaction that handles it: none is handled twice. Kept for longer than Telegram repeats an update.';
COMMENT ON COLUMN exchange_bot_handled_update.telegram_id IS 'The bot at Telegram, which numbers its own updates.';
CREATE INDEX exchange_bot_handled_update_old ON exchange_bot_handled_update (handled_at);

ALTER TABLE exchange_bot_handled_update ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_bot_handled_update FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_bot_handled_update_scope ON exchange_bot_handled_update FOR ALL
  USING ((SELECT app.sees_all()));

REVOKE UPDATE ON exchange_bot_handled_update FROM copydesk_app;

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
      access_until = begins + sale.days * interval '24 hours', cancelled_because = NULL,
      revived_at = CASE WHEN OLD.status = 'cancelled' THEN NEW.paid_at ELSE revived_at END
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
