-- Written by `npm run generate` from a migrated database. Do not edit.

-- How far the updates of a bot are handled, and which worker reads them.
CREATE TABLE exchange_bot_reading (
  bot_id uuid NOT NULL,
  -- The bot whose updates are counted: another one, after its token was replaced, has numbers of its own.
  telegram_id bigint NOT NULL,
  -- Up to here every update is handled. Later ones may be, in exchange_bot_handled_update, while an earlier one is
  -- not.
  last_update_id bigint,
  last_update_at timestamptz,
  -- The worker that reads the bot, until its lease ends.
  answered_by uuid,
  -- Counts the workers: one that has lost its lease can no longer advance last_update_id.
  lease_number bigint NOT NULL DEFAULT 0,
  leased_until timestamptz,
  -- When Telegram last answered a request for updates.
  read_at timestamptz,
  -- Why it did not since. NULL: it did.
  problem text,
  problem_at timestamptz,
  -- exchange_bot.updated_at of the bot that Telegram refused: reading goes on after the next change of the bot.
  stopped_at timestamptz,
  -- Grows with every change of the bot or its texts that the menu of commands depends on.
  commands_wanted bigint NOT NULL DEFAULT 1,
  -- commands_wanted of the menu that Telegram was given.
  commands_set bigint NOT NULL DEFAULT 0,
  CONSTRAINT exchange_bot_reading_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES exchange_bot(id) ON DELETE CASCADE,
  CONSTRAINT exchange_bot_reading_lease CHECK ((answered_by IS NULL) = (leased_until IS NULL)),
  CONSTRAINT exchange_bot_reading_pkey PRIMARY KEY (bot_id),
  CONSTRAINT exchange_bot_reading_problem CHECK ((problem IS NULL) = (problem_at IS NULL)),
  CONSTRAINT exchange_bot_reading_problem_check
    CHECK (problem = ANY (ARRAY['refused', 'unreadable', 'other_reader', 'webhook', 'unavailable']))
);

ALTER TABLE exchange_bot_reading ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_bot_reading FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_bot_reading_scope ON exchange_bot_reading FOR ALL
  USING ((SELECT app.sees_all()));
