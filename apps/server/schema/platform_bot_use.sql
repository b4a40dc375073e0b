-- Written by `npm run generate` from a migrated database. Do not edit.

-- The bot with which the worker writes now, as Telegram answered when it last asked.
CREATE TABLE platform_bot_use (
  is_only boolean NOT NULL DEFAULT true,
  -- The version of platform_bot that the worker had read; 0: there was none.
  version integer NOT NULL,
  source text NOT NULL,
  telegram_id bigint,
  username text,
  name text,
  -- Why the last check failed. NULL: it did not.
  problem text,
  checked_at timestamptz NOT NULL,
  CONSTRAINT platform_bot_use_is_only_check CHECK (is_only),
  CONSTRAINT platform_bot_use_pkey PRIMARY KEY (is_only),
  CONSTRAINT platform_bot_use_problem_check CHECK (problem = ANY (ARRAY['refused', 'unavailable', 'unreadable'])),
  CONSTRAINT platform_bot_use_source_check CHECK (source = ANY (ARRAY['console', 'environment', 'none'])),
  CONSTRAINT platform_bot_use_version_check CHECK (version >= 0)
);

ALTER TABLE platform_bot_use ENABLE ROW LEVEL SECURITY;
ALTER TABLE platform_bot_use FORCE ROW LEVEL SECURITY;
CREATE POLICY platform_bot_use_scope ON platform_bot_use FOR ALL
  USING ((SELECT app.sees_all()));
