-- Written by `npm run generate` from a migrated database. Do not edit.

-- Telegram bots of communities that sell access, one for each.
CREATE TABLE exchange_bot (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  community_id uuid NOT NULL,
  -- The id of the bot at Telegram, which its token begins with.
  telegram_id bigint NOT NULL,
  username text NOT NULL,
  -- Name and username as Telegram had them at the last check.
  name text NOT NULL,
  -- For people whose own language the bot does not speak.
  language text NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  -- Why the last check failed. NULL: it did not.
  problem text,
  checked_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT exchange_bot_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id) ON DELETE CASCADE,
  CONSTRAINT exchange_bot_community_id_key UNIQUE (community_id),
  CONSTRAINT exchange_bot_language_check CHECK (language = ANY (ARRAY['en', 'es', 'ar', 'pl', 'ru'])),
  CONSTRAINT exchange_bot_name_check CHECK (name <> ''),
  CONSTRAINT exchange_bot_pkey PRIMARY KEY (id),
  CONSTRAINT exchange_bot_problem_check CHECK (problem = ANY (ARRAY['refused', 'unavailable', 'unreadable'])),
  CONSTRAINT exchange_bot_telegram_id_check CHECK (telegram_id > 0),
  CONSTRAINT exchange_bot_telegram_id_key UNIQUE (telegram_id),
  CONSTRAINT exchange_bot_username_check CHECK (username <> '')
);

ALTER TABLE exchange_bot ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_bot FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_bot_read ON exchange_bot FOR SELECT
  USING ((EXISTS (SELECT FROM community c WHERE c.id = exchange_bot.community_id)));
CREATE POLICY exchange_bot_scope ON exchange_bot FOR ALL
  USING ((SELECT app.sees_all()));

CREATE TRIGGER exchange_bot_commands AFTER UPDATE OF is_active, language, telegram_id ON exchange_bot FOR EACH ROW
  WHEN (new.is_active IS DISTINCT FROM old.is_active OR new.language IS DISTINCT FROM old.language
  OR new.telegram_id IS DISTINCT FROM old.telegram_id) EXECUTE FUNCTION app.bot_commands_changed();
CREATE TRIGGER exchange_bot_work AFTER INSERT OR UPDATE ON exchange_bot FOR EACH STATEMENT
  EXECUTE FUNCTION app.announce_work();
