-- Written by `npm run generate` from a migrated database. Do not edit.

-- The encrypted token of a bot: the value under its own key, that key wrapped by the master key.
CREATE TABLE exchange_bot_token (
  bot_id uuid NOT NULL,
  version integer NOT NULL DEFAULT 1,
  ciphertext bytea NOT NULL,
  wrapped_key bytea NOT NULL,
  master_key_id text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT exchange_bot_token_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES exchange_bot(id) ON DELETE CASCADE,
  CONSTRAINT exchange_bot_token_pkey PRIMARY KEY (bot_id)
);

ALTER TABLE exchange_bot_token ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_bot_token FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_bot_token_scope ON exchange_bot_token FOR ALL
  USING ((SELECT app.sees_all()));
