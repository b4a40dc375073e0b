-- Written by `npm run generate` from a migrated database. Do not edit.

-- Questions that a bot answers, by language.
CREATE TABLE exchange_bot_faq (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  bot_id uuid NOT NULL,
  language text NOT NULL,
  -- Order within a language, from 0 and without gaps.
  place integer NOT NULL,
  question text NOT NULL,
  answer text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT exchange_bot_faq_answer_check CHECK (answer <> ''),
  CONSTRAINT exchange_bot_faq_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES exchange_bot(id) ON DELETE CASCADE,
  CONSTRAINT exchange_bot_faq_language_check CHECK (language = ANY (ARRAY['en', 'es', 'ar', 'pl', 'ru'])),
  CONSTRAINT exchange_bot_faq_pkey PRIMARY KEY (id),
  CONSTRAINT exchange_bot_faq_place_check CHECK (place >= 0),
  CONSTRAINT exchange_bot_faq_question_check CHECK (question <> '')
);

CREATE INDEX exchange_bot_faq_in_order ON exchange_bot_faq (bot_id, language, place);
CREATE UNIQUE INDEX exchange_bot_faq_once ON exchange_bot_faq (bot_id, language, lower(question));

ALTER TABLE exchange_bot_faq ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_bot_faq FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_bot_faq_scope ON exchange_bot_faq FOR ALL
  USING ((SELECT app.sees_all()));
