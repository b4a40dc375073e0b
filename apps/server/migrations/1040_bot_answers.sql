-- The bots of communities answer people: who reads a bot, its chats, what it says, and its own texts.

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
  CONSTRAINT exchange_bot_reading_lease CHECK ((answered_by IS NULL) = (leased_until IS NULL)),
  CONSTRAINT exchange_bot_reading_problem CHECK ((problem IS NULL) = (problem_at IS NULL))
);
COMMENT ON TABLE exchange_bot_reading IS 'How far the updates of a bot are handled, and which worker reads them.';
COMMENT ON COLUMN exchange_bot_reading.telegram_id IS
  'The bot whose updates are counted: another one, after its token was replaced, has numbers of its own.';
COMMENT ON COLUMN exchange_bot_reading.last_update_id IS
  'The last handled update. It advances in the transaction that handles an update, so each is handled once.';
COMMENT ON COLUMN exchange_bot_reading.answered_by IS 'The worker that reads the bot, until its lease ends.';
COMMENT ON COLUMN exchange_bot_reading.lease_number IS
  'Counts the workers: one that has lost its lease can no longer advance last_update_id.';
COMMENT ON COLUMN exchange_bot_reading.read_at IS 'When Telegram last answered a request for updates.';
COMMENT ON COLUMN exchange_bot_reading.problem IS 'Why it did not since. NULL: it did.';
COMMENT ON COLUMN exchange_bot_reading.stopped_at IS
  'exchange_bot.updated_at of the bot that Telegram refused: reading goes on after the next change of the bot.';

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

CREATE TABLE exchange_bot_text (
  bot_id uuid NOT NULL REFERENCES exchange_bot ON DELETE CASCADE,
  language text NOT NULL CHECK (language IN ('en', 'es', 'ar', 'pl', 'ru')),
  key text NOT NULL CHECK (key ~ '^[a-z_]{1,40}$'),
  text text NOT NULL CHECK (text <> ''),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (bot_id, language, key)
);
COMMENT ON TABLE exchange_bot_text IS 'Texts of a bot in place of ours.';

ALTER TABLE exchange_bot_reading ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_bot_reading FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_bot_reading_scope ON exchange_bot_reading FOR ALL USING ((SELECT app.sees_all()));
ALTER TABLE exchange_bot_chat ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_bot_chat FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_bot_chat_scope ON exchange_bot_chat FOR ALL USING ((SELECT app.sees_all()));
ALTER TABLE exchange_bot_message ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_bot_message FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_bot_message_scope ON exchange_bot_message FOR ALL USING ((SELECT app.sees_all()));
ALTER TABLE exchange_bot_text ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_bot_text FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_bot_text_scope ON exchange_bot_text FOR ALL USING ((SELECT app.sees_all()));

GRANT SELECT, INSERT, UPDATE ON exchange_bot_reading, exchange_bot_chat, exchange_bot_message TO copydesk_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON exchange_bot_text TO copydesk_app;
GRANT DELETE ON exchange_bot_message TO copydesk_app;

-- A connected or changed bot, and another token, are taken up at once.
CREATE TRIGGER exchange_bot_work AFTER INSERT OR UPDATE ON exchange_bot
  FOR EACH STATEMENT EXECUTE FUNCTION app.announce_work();

-- Two facts about a sale are said to its buyer once: its payment, and that its time ends soon.
ALTER TABLE exchange_bot_sale ADD COLUMN paid_noted_at timestamptz, ADD COLUMN ending_noted_at timestamptz;
COMMENT ON COLUMN exchange_bot_sale.paid_noted_at IS
  'When the message about the payment was written, or the buyer turned out to have no chat. NULL: not yet.';
COMMENT ON COLUMN exchange_bot_sale.ending_noted_at IS 'The same for the end of the time that was bought.';
GRANT UPDATE (paid_noted_at, ending_noted_at) ON exchange_bot_sale TO copydesk_app;
CREATE INDEX exchange_bot_sale_paid_unnoted ON exchange_bot_sale (sold_at)
  WHERE sold_at IS NOT NULL AND paid_noted_at IS NULL;
CREATE INDEX exchange_bot_sale_ending_unnoted ON exchange_bot_sale (access_until)
  WHERE access_until IS NOT NULL AND ending_noted_at IS NULL;
