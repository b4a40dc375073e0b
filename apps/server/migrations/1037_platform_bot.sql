-- The bot with which the platform writes to traders and owners. The console may give it a token, which then counts
-- instead of the environment's.

CREATE TABLE platform_bot (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  version int NOT NULL CHECK (version > 0),
  telegram_id bigint CHECK (telegram_id > 0),
  ciphertext bytea,
  wrapped_key bytea,
  master_key_id text,
  changed_at timestamptz NOT NULL,
  changed_by text NOT NULL,
  CONSTRAINT platform_bot_token CHECK (num_nulls(telegram_id, ciphertext, wrapped_key, master_key_id) IN (0, 4))
);
COMMENT ON TABLE platform_bot IS
  'The token of the platform''s bot, encrypted under its own key, which the master key wraps. No row: it was never set here.';
COMMENT ON COLUMN platform_bot.version IS 'Counts the changes: workers say which they use.';
COMMENT ON COLUMN platform_bot.telegram_id IS 'The id of the bot at Telegram. NULL: the environment''s token counts again.';

CREATE TABLE platform_bot_use (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  version int NOT NULL CHECK (version >= 0),
  source text NOT NULL CHECK (source IN ('console', 'environment', 'none')),
  telegram_id bigint,
  username text,
  name text,
  problem text CHECK (problem IN ('refused', 'unavailable', 'unreadable')),
  checked_at timestamptz NOT NULL
);
COMMENT ON TABLE platform_bot_use IS 'The bot with which the worker writes now, as Telegram answered when it last asked.';
COMMENT ON COLUMN platform_bot_use.version IS 'The version of platform_bot that the worker had read; 0: there was none.';
COMMENT ON COLUMN platform_bot_use.problem IS 'Why the last check failed. NULL: it did not.';

ALTER TABLE platform_bot ENABLE ROW LEVEL SECURITY;
ALTER TABLE platform_bot FORCE ROW LEVEL SECURITY;
CREATE POLICY platform_bot_scope ON platform_bot FOR ALL USING ((SELECT app.sees_all()));
ALTER TABLE platform_bot_use ENABLE ROW LEVEL SECURITY;
ALTER TABLE platform_bot_use FORCE ROW LEVEL SECURITY;
CREATE POLICY platform_bot_use_scope ON platform_bot_use FOR ALL USING ((SELECT app.sees_all()));

GRANT SELECT, INSERT, UPDATE ON platform_bot, platform_bot_use TO copydesk_app;

CREATE TRIGGER platform_bot_work AFTER INSERT OR UPDATE ON platform_bot
  FOR EACH STATEMENT EXECUTE FUNCTION app.announce_work();
