-- Written by `npm run generate` from a migrated database. Do not edit.

-- Each update of a bot that was handled, written in the transaction that handles it: none is handled twice. Kept for
-- longer than Telegram repeats an update.
CREATE TABLE exchange_bot_handled_update (
  bot_id uuid NOT NULL,
  -- The bot at Telegram, which numbers its own updates.
  telegram_id bigint NOT NULL,
  update_id bigint NOT NULL,
  handled_at timestamptz NOT NULL,
  CONSTRAINT exchange_bot_handled_update_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES exchange_bot(id)
    ON DELETE CASCADE,
  CONSTRAINT exchange_bot_handled_update_pkey PRIMARY KEY (bot_id, telegram_id, update_id)
);

CREATE INDEX exchange_bot_handled_update_old ON exchange_bot_handled_update (handled_at);

ALTER TABLE exchange_bot_handled_update ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_bot_handled_update FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_bot_handled_update_scope ON exchange_bot_handled_update FOR ALL
  USING ((SELECT app.sees_all()));
