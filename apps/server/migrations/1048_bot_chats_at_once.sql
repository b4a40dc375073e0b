-- The chats of a bot are answered beside each other, an order that was not paid in time is said to its buyer, the
-- menu of commands follows the texts, and the split of a sale is kept with its order.

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
-- compatible: no version was released before, so the table is small
CREATE INDEX exchange_bot_handled_update_old ON exchange_bot_handled_update (handled_at);

ALTER TABLE exchange_bot_handled_update ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_bot_handled_update FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_bot_handled_update_scope ON exchange_bot_handled_update FOR ALL
  USING ((SELECT app.sees_all()));
REVOKE ALL ON exchange_bot_handled_update FROM copydesk_app;
GRANT SELECT, INSERT, DELETE ON exchange_bot_handled_update TO copydesk_app;

COMMENT ON COLUMN exchange_bot_reading.last_update_id IS
  'Up to here every update is handled. Later ones may be, in exchange_bot_handled_update, while an earlier one is not.';

-- A buyer learns once that an order was cancelled because its time was over.
ALTER TABLE exchange_bot_sale ADD COLUMN expired_noted_at timestamptz;
COMMENT ON COLUMN exchange_bot_sale.expired_noted_at IS
  'When the message about the end of the time to pay was written, or was not worth writing. NULL: not yet.';
GRANT UPDATE (expired_noted_at) ON exchange_bot_sale TO copydesk_app;
-- compatible: no version was released before, so the table is small
CREATE INDEX exchange_bot_sale_expired_unnoted ON exchange_bot_sale (expires_at)
  WHERE cancelled_because = 'expired' AND expired_noted_at IS NULL;

ALTER TABLE exchange_bot_sale ADD COLUMN community_percentage numeric(5, 2) NOT NULL DEFAULT 85
  CHECK (community_percentage BETWEEN 0 AND 100);
COMMENT ON COLUMN exchange_bot_sale.community_percentage IS
  'The part of the community when it was ordered; the rest is the platform''s. 85 before it was a setting.';

-- Counts what the menu of commands is made of, so that a worker sees when Telegram has another one.
ALTER TABLE exchange_bot_reading ADD COLUMN commands_wanted bigint NOT NULL DEFAULT 1,
  ADD COLUMN commands_set bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN exchange_bot_reading.commands_wanted IS
  'Grows with every change of the bot or its texts that the menu of commands depends on.';
COMMENT ON COLUMN exchange_bot_reading.commands_set IS 'commands_wanted of the menu that Telegram was given.';

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
CREATE TRIGGER exchange_bot_text_commands AFTER INSERT OR UPDATE OR DELETE ON exchange_bot_text
  FOR EACH ROW EXECUTE FUNCTION app.bot_commands_changed();
