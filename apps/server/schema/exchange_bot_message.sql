-- Written by `npm run generate` from a migrated database. Do not edit.

-- What a bot says: written in the transaction that handled the update, and sent afterwards.
CREATE TABLE exchange_bot_message (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  bot_id uuid NOT NULL,
  telegram_user_id bigint NOT NULL,
  text text NOT NULL,
  -- Rows of buttons: text, and the data that a press sends back.
  keyboard jsonb,
  -- Sent as a picture of its QR code, with the text below it.
  qr_text text,
  -- What is said once only, as the payment of an invoice.
  fact_key text,
  state text NOT NULL DEFAULT 'queued',
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL,
  leased_until timestamptz,
  lease_number bigint NOT NULL DEFAULT 0,
  problem text,
  problem_detail text,
  telegram_message_id bigint,
  created_at timestamptz NOT NULL,
  sent_at timestamptz,
  CONSTRAINT exchange_bot_message_attempts_check CHECK (attempts >= 0),
  CONSTRAINT exchange_bot_message_bot_id_telegram_user_id_fkey FOREIGN KEY (bot_id, telegram_user_id)
    REFERENCES exchange_bot_chat(bot_id, telegram_user_id) ON DELETE CASCADE,
  CONSTRAINT exchange_bot_message_fact_key_key UNIQUE (fact_key),
  CONSTRAINT exchange_bot_message_failed CHECK (state <> 'failed' OR problem IS NOT NULL),
  CONSTRAINT exchange_bot_message_pkey PRIMARY KEY (id),
  CONSTRAINT exchange_bot_message_qr_text_check CHECK (qr_text <> ''),
  CONSTRAINT exchange_bot_message_sent CHECK ((state = 'sent') = (sent_at IS NOT NULL)),
  CONSTRAINT exchange_bot_message_state_check CHECK (state = ANY (ARRAY['queued', 'sent', 'failed'])),
  CONSTRAINT exchange_bot_message_text_check CHECK (text <> '')
);

CREATE INDEX exchange_bot_message_by_created ON exchange_bot_message (created_at DESC, id);
CREATE INDEX exchange_bot_message_by_person ON exchange_bot_message (bot_id, telegram_user_id, created_at DESC);
CREATE INDEX exchange_bot_message_by_state ON exchange_bot_message (bot_id, state, created_at DESC, id);
CREATE INDEX exchange_bot_message_due ON exchange_bot_message (bot_id, due_at) WHERE state = 'queued';
CREATE INDEX exchange_bot_message_failed ON exchange_bot_message (created_at) WHERE state = 'failed';
CREATE INDEX exchange_bot_message_of_chat ON exchange_bot_message (bot_id, telegram_user_id, created_at, id)
  WHERE state = 'queued';
CREATE INDEX exchange_bot_message_old ON exchange_bot_message (sent_at) WHERE state = 'sent';
CREATE INDEX exchange_bot_message_sent_last ON exchange_bot_message (bot_id, telegram_user_id, sent_at DESC)
  WHERE state = 'sent';

ALTER TABLE exchange_bot_message ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_bot_message FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_bot_message_scope ON exchange_bot_message FOR ALL
  USING ((SELECT app.sees_all()));
