-- Written by `npm run generate` from a migrated database. Do not edit.

-- The chat with the platform's bot by which a person is told what waits for it.
CREATE TABLE person_chat (
  user_id uuid NOT NULL,
  telegram_user_id bigint NOT NULL,
  -- As Telegram says, cleaned. NULL: nothing of it is left.
  telegram_name text,
  bot_telegram_id text NOT NULL,
  -- Of the link that connected it: pressed again, it has no effect.
  code_hash bytea NOT NULL,
  connected_at timestamptz NOT NULL,
  CONSTRAINT person_chat_pkey PRIMARY KEY (user_id),
  CONSTRAINT person_chat_telegram_name_check CHECK (telegram_name <> '' AND length(telegram_name) <= 64),
  CONSTRAINT person_chat_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity."user"(id) ON DELETE CASCADE
);

CREATE INDEX person_chat_by_chat ON person_chat (telegram_user_id);

ALTER TABLE person_chat ENABLE ROW LEVEL SECURITY;
ALTER TABLE person_chat FORCE ROW LEVEL SECURITY;
CREATE POLICY person_chat_own ON person_chat FOR ALL
  USING (('user:' || user_id) = ((SELECT app.caller())) OR (SELECT app.is_worker()));
