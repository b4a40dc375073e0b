-- What waits for a person is told by Telegram instead of by mail, once the person has connected its own chat with the
-- platform's bot.
ALTER TABLE attention_mail ADD COLUMN channel text NOT NULL DEFAULT 'mail';
-- compatible: every row has the default
ALTER TABLE attention_mail ADD CONSTRAINT attention_mail_channel_check CHECK (channel IN ('mail', 'telegram')) NOT VALID;
COMMENT ON COLUMN attention_mail.channel IS
  'telegram: by the chat of the person, and by mail while that cannot be reached.';

CREATE TABLE person_chat_request (
  user_id uuid PRIMARY KEY REFERENCES identity."user" (id) ON DELETE CASCADE,
  code_hash bytea NOT NULL UNIQUE CHECK (octet_length(code_hash) = 32),
  expires_at timestamptz NOT NULL
);
COMMENT ON TABLE person_chat_request IS
  'Whose chat with the platform''s bot is connected by the code of a link: one open link a person.';
COMMENT ON COLUMN person_chat_request.code_hash IS 'SHA-256: whoever reads the database connects no chat.';
ALTER TABLE person_chat_request ENABLE ROW LEVEL SECURITY;
ALTER TABLE person_chat_request FORCE ROW LEVEL SECURITY;
CREATE POLICY person_chat_request_own ON person_chat_request
  USING (('user:' || user_id) = (SELECT app.caller()) OR (SELECT app.is_worker()));

CREATE TABLE person_chat (
  user_id uuid PRIMARY KEY REFERENCES identity."user" (id) ON DELETE CASCADE,
  telegram_user_id bigint NOT NULL,
  telegram_name text CHECK (telegram_name <> '' AND length(telegram_name) <= 64),
  bot_telegram_id text NOT NULL,
  code_hash bytea NOT NULL,
  connected_at timestamptz NOT NULL
);
COMMENT ON TABLE person_chat IS 'The chat with the platform''s bot by which a person is told what waits for it.';
COMMENT ON COLUMN person_chat.telegram_name IS 'As Telegram says, cleaned. NULL: nothing of it is left.';
COMMENT ON COLUMN person_chat.code_hash IS 'Of the link that connected it: pressed again, it has no effect.';
-- For the person who ends it in the chat.
CREATE INDEX person_chat_by_chat ON person_chat (telegram_user_id);
-- A chat is what Telegram said to a worker, and no caller of the API chooses it.
REVOKE INSERT, UPDATE ON person_chat FROM copydesk_app;
GRANT INSERT, UPDATE ON person_chat TO copydesk_worker;
ALTER TABLE person_chat ENABLE ROW LEVEL SECURITY;
ALTER TABLE person_chat FORCE ROW LEVEL SECURITY;
CREATE POLICY person_chat_own ON person_chat
  USING (('user:' || user_id) = (SELECT app.caller()) OR (SELECT app.is_worker()));

CREATE TABLE person_message (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  user_id uuid REFERENCES identity."user" (id) ON DELETE CASCADE,
  telegram_user_id bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('digest', 'news', 'connected', 'disconnected', 'link_over')),
  text text NOT NULL CHECK (text <> ''),
  dedupe_key text NOT NULL UNIQUE,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sent', 'failed')),
  attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  due_at timestamptz NOT NULL,
  leased_until timestamptz,
  lease_number bigint NOT NULL DEFAULT 0,
  problem text,
  problem_detail text,
  telegram_message_id bigint,
  created_at timestamptz NOT NULL,
  sent_at timestamptz,
  mailed_at timestamptz,
  CONSTRAINT person_message_addressee CHECK ((user_id IS NULL) = (kind IN ('disconnected', 'link_over'))),
  CONSTRAINT person_message_sent CHECK ((state = 'sent') = (sent_at IS NOT NULL)),
  CONSTRAINT person_message_failed CHECK (state <> 'failed' OR problem IS NOT NULL)
);
COMMENT ON TABLE person_message IS
  'What the platform''s bot writes to people of the console: in the transaction of its cause, and sent afterwards.';
COMMENT ON COLUMN person_message.user_id IS 'NULL: it is for a chat that is connected to no person.';
COMMENT ON COLUMN person_message.text IS 'As shown, without markup.';
COMMENT ON COLUMN person_message.dedupe_key IS 'Prevents a second message about the same fact.';
COMMENT ON COLUMN person_message.problem IS
  'Why the last attempt failed: a code of ours; problem_detail has the answer of the Bot API.';
COMMENT ON COLUMN person_message.mailed_at IS 'When it was mailed instead, since it had failed.';
CREATE INDEX person_message_due ON person_message (due_at) WHERE state = 'queued';
-- For the order within a chat and its pause, and for how the last one of a chat went.
CREATE INDEX person_message_by_chat ON person_message (telegram_user_id, created_at DESC);
CREATE INDEX person_message_by_person ON person_message (user_id);
-- For what is to be mailed instead.
CREATE INDEX person_message_untold ON person_message (created_at) WHERE state <> 'sent' AND mailed_at IS NULL;
CREATE INDEX person_message_old ON person_message (created_at) WHERE state <> 'queued';
-- What the bot says is written by workers; a person takes back what waits for it.
REVOKE INSERT, UPDATE ON person_message FROM copydesk_app;
GRANT INSERT, UPDATE ON person_message TO copydesk_worker;
ALTER TABLE person_message ENABLE ROW LEVEL SECURITY;
ALTER TABLE person_message FORCE ROW LEVEL SECURITY;
CREATE POLICY person_message_own ON person_message
  USING (('user:' || user_id) = (SELECT app.caller()) OR (SELECT app.is_worker()));
CREATE TRIGGER person_message_queued AFTER INSERT ON person_message FOR EACH STATEMENT
  EXECUTE FUNCTION app.announce_work();
