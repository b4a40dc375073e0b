-- Written by `npm run generate` from a migrated database. Do not edit.

-- Not used any more: TELEGRAM_BOT_TOKEN of the workers is the one way to give the bot. Goes with a later version.
CREATE TABLE platform_bot (
  is_only boolean NOT NULL DEFAULT true,
  -- Counts the changes: workers say which they use.
  version integer NOT NULL,
  -- The id of the bot at Telegram. NULL: the environment's token counts again.
  telegram_id bigint,
  ciphertext bytea,
  wrapped_key bytea,
  master_key_id text,
  changed_at timestamptz NOT NULL,
  changed_by text NOT NULL,
  CONSTRAINT platform_bot_is_only_check CHECK (is_only),
  CONSTRAINT platform_bot_pkey PRIMARY KEY (is_only),
  CONSTRAINT platform_bot_telegram_id_check CHECK (telegram_id > 0),
  CONSTRAINT platform_bot_token
    CHECK (num_nulls(telegram_id, ciphertext, wrapped_key, master_key_id) = ANY (ARRAY[0, 4])),
  CONSTRAINT platform_bot_version_check CHECK (version > 0)
);

ALTER TABLE platform_bot ENABLE ROW LEVEL SECURITY;
ALTER TABLE platform_bot FORCE ROW LEVEL SECURITY;
CREATE POLICY platform_bot_scope ON platform_bot FOR ALL
  USING ((SELECT app.sees_all()));

CREATE TRIGGER platform_bot_work AFTER INSERT OR UPDATE ON platform_bot FOR EACH STATEMENT
  EXECUTE FUNCTION app.announce_work();
