-- Written by `npm run generate` from a migrated database. Do not edit.

-- How far the updates of the platform's bot are read, and which worker reads them. Only workers write it.
CREATE TABLE platform_bot_reading (
  is_only boolean NOT NULL DEFAULT true,
  -- The bot that is read.
  telegram_id bigint NOT NULL,
  -- From when words read from this bot count: at once where its token is of the environment of workers, else 30 days
  -- after a worker first read it, since one person can store another token.
  counts_from timestamptz NOT NULL,
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
  CONSTRAINT platform_bot_reading_is_only_check CHECK (is_only),
  CONSTRAINT platform_bot_reading_pkey PRIMARY KEY (is_only),
  CONSTRAINT platform_bot_reading_problem_check
    CHECK (problem = ANY (ARRAY['refused', 'other_reader', 'webhook', 'unavailable']))
);

ALTER TABLE platform_bot_reading ENABLE ROW LEVEL SECURITY;
ALTER TABLE platform_bot_reading FORCE ROW LEVEL SECURITY;
CREATE POLICY platform_bot_reading_scope ON platform_bot_reading FOR ALL
  USING ((SELECT app.sees_all()))
  WITH CHECK ((SELECT app.sees_all()));
