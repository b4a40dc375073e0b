-- Written by `npm run generate` from a migrated database. Do not edit.

-- People who have written to a bot. A bot can write to no others.
CREATE TABLE exchange_bot_chat (
  bot_id uuid NOT NULL,
  telegram_user_id bigint NOT NULL,
  telegram_username text,
  name text,
  language text NOT NULL,
  -- The order for which the next text is a coupon. NULL: it is not one.
  awaits_coupon_of uuid,
  -- The payload of the link by which the person came first.
  source text,
  counted_from timestamptz NOT NULL,
  -- Updates in the minute from counted_from. Above a limit the bot is silent until the minute is over.
  counted integer NOT NULL DEFAULT 0,
  last_seen_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT exchange_bot_chat_awaits_coupon_of_fkey FOREIGN KEY (awaits_coupon_of) REFERENCES invoice(id),
  CONSTRAINT exchange_bot_chat_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES exchange_bot(id) ON DELETE CASCADE,
  CONSTRAINT exchange_bot_chat_counted_check CHECK (counted >= 0),
  CONSTRAINT exchange_bot_chat_language_check CHECK (language = ANY (ARRAY['en', 'es', 'ar', 'pl', 'ru'])),
  CONSTRAINT exchange_bot_chat_pkey PRIMARY KEY (bot_id, telegram_user_id),
  CONSTRAINT exchange_bot_chat_source_check CHECK (source ~ '^[A-Za-z0-9_-]{1,64}$'),
  CONSTRAINT exchange_bot_chat_telegram_user_id_check CHECK (telegram_user_id > 0)
);

ALTER TABLE exchange_bot_chat ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_bot_chat FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_bot_chat_scope ON exchange_bot_chat FOR ALL
  USING ((SELECT app.sees_all()));
