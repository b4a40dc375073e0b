-- Written by `npm run generate` from a migrated database. Do not edit.

-- Texts of a bot in place of ours, for the version before. No later version reads them.
CREATE TABLE exchange_bot_text (
  bot_id uuid NOT NULL,
  language text NOT NULL,
  key text NOT NULL,
  text text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT exchange_bot_text_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES exchange_bot(id) ON DELETE CASCADE,
  CONSTRAINT exchange_bot_text_key_check CHECK (key ~ '^[a-z_]{1,40}$'),
  CONSTRAINT exchange_bot_text_language_check CHECK (language = ANY (ARRAY['en', 'es', 'ar', 'pl', 'ru'])),
  CONSTRAINT exchange_bot_text_pkey PRIMARY KEY (bot_id, language, key),
  CONSTRAINT exchange_bot_text_text_check CHECK (text <> '')
);

ALTER TABLE exchange_bot_text ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_bot_text FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_bot_text_scope ON exchange_bot_text FOR ALL
  USING ((SELECT app.sees_all()));

CREATE TRIGGER exchange_bot_text_commands AFTER INSERT OR DELETE OR UPDATE ON exchange_bot_text FOR EACH ROW
  EXECUTE FUNCTION app.bot_commands_changed();
