-- What the platform says: messages to traders, mails, and bots of its own.

CREATE TABLE message (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  trader_id uuid REFERENCES trader ON DELETE CASCADE,
  provider_id uuid REFERENCES provider,
  invoice_id uuid REFERENCES invoice,
  kind text NOT NULL
    CHECK (kind IN ('invoice_created', 'invoice_due_soon', 'invoice_overdue', 'invoice_paid', 'invoice_recalled',
    'unpaid_invoices', 'wallet_changed', 'withdrawal_ordered', 'wallet_confirmed', 'wallet_disowned',
    'wallet_no_effect', 'withdrawal_needs_address', 'withdrawal_refused', 'withdraw_funds', 'withdraw_reminder',
    'withdrawal_cancelled', 'trial_ending', 'payment_failed', 'grace_ending', 'subscription_ended', 'payment_link',
    'key_failing', 'key_ending')),
  language text NOT NULL CHECK (language IN ('en', 'es', 'ar', 'pl', 'ru')),
  text text NOT NULL CHECK (text <> ''),
  dedupe_key text NOT NULL UNIQUE,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sent', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now(),
  leased_until timestamptz,
  lease_number bigint NOT NULL DEFAULT 0,
  problem text,
  problem_detail text,
  telegram_message_id bigint,
  requested_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz,
  community_id uuid REFERENCES community ON DELETE RESTRICT,
  invoicing_run_id uuid,
  -- Owners of communities are notified as traders are.
  CONSTRAINT message_addressee CHECK (num_nonnulls(trader_id, community_id) = 1),
  CONSTRAINT message_check CHECK ((state = 'sent') = (sent_at IS NOT NULL))
);
COMMENT ON TABLE message IS
  'Messages to traders, written in the transaction of the fact they report and sent afterwards.';
COMMENT ON COLUMN message.provider_id IS
  'The provider whose staff may read it. NULL: it covers invoices of several providers.';
COMMENT ON COLUMN message.text IS 'The text as sent; never changed.';
COMMENT ON COLUMN message.dedupe_key IS 'Prevents a second message about the same fact.';
COMMENT ON COLUMN message.problem IS
  'Why the last attempt failed: a code of ours; problem_detail has the answer of the Bot API.';
COMMENT ON COLUMN message.community_id IS 'The community whose owner it is for; NULL: it is for a trader.';
COMMENT ON COLUMN message.invoicing_run_id IS 'The run that issued its invoice; NULL: none, or one of before.';
CREATE INDEX message_by_trader ON message (trader_id, created_at DESC, id);
CREATE INDEX message_by_invoice ON message (invoice_id) WHERE invoice_id IS NOT NULL;
CREATE INDEX message_by_provider ON message (provider_id, created_at DESC, id);
CREATE INDEX message_by_created ON message (created_at DESC, id);
CREATE INDEX message_queued ON message (due_at) WHERE state = 'queued';
CREATE INDEX message_failed ON message (created_at DESC, id) WHERE state = 'failed';
CREATE INDEX message_by_community ON message (community_id, created_at DESC) WHERE community_id IS NOT NULL;
CREATE INDEX message_of_run ON message (invoicing_run_id, state)
  WHERE invoicing_run_id IS NOT NULL AND state IN ('queued', 'failed');

ALTER TABLE message ENABLE ROW LEVEL SECURITY;
ALTER TABLE message FORCE ROW LEVEL SECURITY;
CREATE POLICY message_scope ON message
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]));

CREATE TRIGGER message_queued AFTER INSERT ON message FOR EACH STATEMENT EXECUTE FUNCTION app.announce_work();
CREATE TRIGGER message_again AFTER UPDATE OF state ON message
  FOR EACH ROW WHEN (NEW.state = 'queued' AND OLD.state <> 'queued') EXECUTE FUNCTION app.announce_work();

-- Consoles that show the invoice, or the trader, learn whether a message arrived.
CREATE FUNCTION app.message_moved() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO change_event (topic, entity_id, trader_id, provider_ids)
  VALUES (
    CASE WHEN NEW.invoice_id IS NULL THEN 'trader' ELSE 'invoice' END,
    coalesce(NEW.invoice_id, NEW.trader_id),
    CASE WHEN NEW.invoice_id IS NOT NULL THEN NEW.trader_id END,
    CASE WHEN NEW.provider_id IS NULL THEN '{}'::uuid[] ELSE ARRAY[NEW.provider_id] END);
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;

CREATE TRIGGER message_moved AFTER UPDATE OF state ON message
  FOR EACH ROW WHEN (NEW.state <> OLD.state) EXECUTE FUNCTION app.message_moved();

-- Texts have the addresses of their own recipient, and no others.
CREATE FUNCTION app.refuse_other_address_in_text() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (
    SELECT FROM regexp_matches(NEW.text, '0x[0-9a-f]{40}', 'gi') AS found (words)
    WHERE NOT EXISTS (SELECT FROM trader t WHERE t.id = NEW.trader_id AND lower(t.deposit_address) = lower(found.words[1]))
      AND NOT EXISTS (SELECT FROM pooled_account p
        WHERE p.community_id = NEW.community_id AND lower(p.proxy_address) = lower(found.words[1]))) THEN
    RAISE EXCEPTION 'a message has no address of anybody else' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER message_address BEFORE INSERT OR UPDATE OF text, trader_id, community_id ON message FOR EACH ROW
  WHEN (app.is_api()) EXECUTE FUNCTION app.refuse_other_address_in_text();

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
COMMENT ON TABLE platform_bot IS 'Not used any more: TELEGRAM_BOT_TOKEN of the workers is the one way to give the bot. Goes with a later version.';
COMMENT ON COLUMN platform_bot.version IS 'Counts the changes: workers say which they use.';
COMMENT ON COLUMN platform_bot.telegram_id IS 'The id of the bot at Telegram. NULL: the environment''s token counts again.';

ALTER TABLE platform_bot ENABLE ROW LEVEL SECURITY;
ALTER TABLE platform_bot FORCE ROW LEVEL SECURITY;
CREATE POLICY platform_bot_scope ON platform_bot FOR ALL USING ((SELECT app.sees_all()));

CREATE TRIGGER platform_bot_work AFTER INSERT OR UPDATE ON platform_bot
  FOR EACH STATEMENT EXECUTE FUNCTION app.announce_work();

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

ALTER TABLE platform_bot_use ENABLE ROW LEVEL SECURITY;
ALTER TABLE platform_bot_use FORCE ROW LEVEL SECURITY;
CREATE POLICY platform_bot_use_scope ON platform_bot_use FOR ALL USING ((SELECT app.sees_all()));

CREATE TABLE platform_bot_reading (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  telegram_id bigint NOT NULL,
  counts_from timestamptz NOT NULL,
  last_update_id bigint,
  last_update_at timestamptz,
  answered_by uuid,
  lease_number bigint NOT NULL DEFAULT 0,
  leased_until timestamptz,
  read_at timestamptz,
  problem text CHECK (problem IN ('refused', 'other_reader', 'webhook', 'unavailable')),
  problem_at timestamptz
);
COMMENT ON TABLE platform_bot_reading IS
  'How far the updates of the platform''s bot are read, and which worker reads them. Only workers write it.';
COMMENT ON COLUMN platform_bot_reading.telegram_id IS 'The bot that is read.';
COMMENT ON COLUMN platform_bot_reading.counts_from IS
  'From when words read from this bot count: at once where its token is of the environment of workers, else 30 days after a worker first read it, since one person can store another token.';
COMMENT ON COLUMN platform_bot_reading.answered_by IS 'The worker that reads the bot, until its lease ends.';
COMMENT ON COLUMN platform_bot_reading.lease_number IS
  'Counts the workers: one that has lost its lease can no longer advance last_update_id.';
COMMENT ON COLUMN platform_bot_reading.read_at IS 'When Telegram last answered a request for updates.';
COMMENT ON COLUMN platform_bot_reading.problem IS 'Why it did not since. NULL: it did.';

ALTER TABLE platform_bot_reading ENABLE ROW LEVEL SECURITY;
ALTER TABLE platform_bot_reading FORCE ROW LEVEL SECURITY;
CREATE POLICY platform_bot_reading_scope ON platform_bot_reading FOR ALL
  USING ((SELECT app.sees_all())) WITH CHECK ((SELECT app.sees_all()));

REVOKE INSERT, UPDATE, DELETE ON platform_bot_reading FROM copydesk_app;
GRANT INSERT, UPDATE ON platform_bot_reading TO copydesk_worker;

-- Every mail waits here until the mail server has taken it: a server that is busy or away for minutes loses none.
CREATE TABLE mail (
  id uuid PRIMARY KEY,
  kind text NOT NULL
    CHECK (kind IN ('password_reset', 'invitation', 'account_changed', 'reveal_alarm', 'subscription', 'attention')),
  recipient text NOT NULL CHECK (recipient <> ''),
  ciphertext bytea,
  wrapped_key bytea,
  master_key_id text,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'failed')),
  problem text,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  leased_until timestamptz,
  lease_number bigint NOT NULL DEFAULT 0,
  CONSTRAINT mail_contents CHECK (num_nonnulls(ciphertext, wrapped_key, master_key_id) = CASE state
    WHEN 'waiting' THEN 3 ELSE 0 END),
  CONSTRAINT mail_failed CHECK (state = 'waiting' OR problem IS NOT NULL)
);
COMMENT ON TABLE mail IS
  'Mails that the mail server has not taken yet, and those that failed. A mail that was sent is deleted.';
COMMENT ON COLUMN mail.ciphertext IS
  'Subject and text, sealed: they hold links that open an account. NULL once it failed.';
COMMENT ON COLUMN mail.problem IS
  'Of a mail that failed: the reply code of the mail server, `expired` or `unreadable`. Never its words.';
COMMENT ON COLUMN mail.due_at IS 'The next attempt. It moves with a lease, so that what is being sent is not searched.';
COMMENT ON COLUMN mail.expires_at IS 'From then on it is useless, as its link is.';
COMMENT ON COLUMN mail.leased_until IS 'Until then one process sends it.';
COMMENT ON COLUMN mail.lease_number IS 'Fences off late writes of a process that lost its lease.';
CREATE INDEX mail_due ON mail (due_at) WHERE state = 'waiting';
CREATE INDEX mail_failed_at ON mail (created_at) WHERE state = 'failed';

ALTER TABLE mail ENABLE ROW LEVEL SECURITY;
ALTER TABLE mail FORCE ROW LEVEL SECURITY;
CREATE POLICY mail_scope ON mail FOR ALL USING ((SELECT app.sees_all()));

CREATE TRIGGER mail_waiting AFTER INSERT ON mail FOR EACH STATEMENT
  EXECUTE FUNCTION app.announce_work();

REVOKE UPDATE ON mail FROM copydesk_app;
GRANT UPDATE (ciphertext, wrapped_key, master_key_id, state, problem, attempts, due_at, leased_until, lease_number)
  ON mail TO copydesk_app;

CREATE TABLE person_chat_request (
  user_id uuid PRIMARY KEY REFERENCES identity."user" (id) ON DELETE CASCADE,
  code_hash bytea NOT NULL UNIQUE CHECK (octet_length(code_hash) = 32),
  expires_at timestamptz NOT NULL
);
COMMENT ON TABLE person_chat_request IS
  'Whose chat with the platform''s bot is connected by the code of a link: one open link a person.';
COMMENT ON COLUMN person_chat_request.code_hash IS 'SHA-256: whoever reads the database connects no chat.';

ALTER TABLE person_chat_request ENABLE ROW LEVEL SECURITY;
ALTER TABLE person_chat_request FORCE ROW LEVEL SECURITY;
CREATE POLICY person_chat_request_own ON person_chat_request
  USING (('user:' || user_id) = (SELECT app.caller()) OR (SELECT app.is_worker()));

CREATE TABLE person_chat (
  user_id uuid PRIMARY KEY REFERENCES identity."user" (id) ON DELETE CASCADE,
  telegram_user_id bigint NOT NULL,
  telegram_name text CHECK (telegram_name <> '' AND length(telegram_name) <= 64),
  bot_telegram_id text NOT NULL,
  code_hash bytea NOT NULL,
  connected_at timestamptz NOT NULL
);
COMMENT ON TABLE person_chat IS 'The chat with the platform''s bot by which a person is told what waits for it.';
COMMENT ON COLUMN person_chat.telegram_name IS 'As Telegram says, cleaned. NULL: nothing of it is left.';
COMMENT ON COLUMN person_chat.code_hash IS 'Of the link that connected it: pressed again, it has no effect.';
-- For the person who ends it in the chat.
CREATE INDEX person_chat_by_chat ON person_chat (telegram_user_id);

ALTER TABLE person_chat ENABLE ROW LEVEL SECURITY;
ALTER TABLE person_chat FORCE ROW LEVEL SECURITY;
CREATE POLICY person_chat_own ON person_chat
  USING (('user:' || user_id) = (SELECT app.caller()) OR (SELECT app.is_worker()));

-- A chat is what Telegram said to a worker, and no caller of the API chooses it.
REVOKE INSERT, UPDATE ON person_chat FROM copydesk_app;
GRANT INSERT, UPDATE ON person_chat TO copydesk_worker;

CREATE TABLE person_message (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  user_id uuid REFERENCES identity."user" (id) ON DELETE CASCADE,
  telegram_user_id bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('digest', 'news', 'connected', 'disconnected', 'link_over')),
  text text NOT NULL CHECK (text <> ''),
  dedupe_key text NOT NULL UNIQUE,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sent', 'failed')),
  attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  due_at timestamptz NOT NULL,
  leased_until timestamptz,
  lease_number bigint NOT NULL DEFAULT 0,
  problem text,
  problem_detail text,
  telegram_message_id bigint,
  created_at timestamptz NOT NULL,
  sent_at timestamptz,
  mailed_at timestamptz,
  CONSTRAINT person_message_addressee CHECK ((user_id IS NULL) = (kind IN ('disconnected', 'link_over'))),
  CONSTRAINT person_message_sent CHECK ((state = 'sent') = (sent_at IS NOT NULL)),
  CONSTRAINT person_message_failed CHECK (state <> 'failed' OR problem IS NOT NULL)
);
COMMENT ON TABLE person_message IS
  'What the platform''s bot writes to people of the console: in the transaction of its cause, and sent afterwards.';
COMMENT ON COLUMN person_message.user_id IS 'NULL: it is for a chat that is connected to no person.';
COMMENT ON COLUMN person_message.text IS 'As shown, without markup.';
COMMENT ON COLUMN person_message.dedupe_key IS 'Prevents a second message about the same fact.';
COMMENT ON COLUMN person_message.problem IS
  'Why the last attempt failed: a code of ours; problem_detail has the answer of the Bot API.';
COMMENT ON COLUMN person_message.mailed_at IS 'When it was mailed instead, since it had failed.';
CREATE INDEX person_message_due ON person_message (due_at) WHERE state = 'queued';
-- For the order within a chat and its pause, and for how the last one of a chat went.
CREATE INDEX person_message_by_chat ON person_message (telegram_user_id, created_at DESC);
CREATE INDEX person_message_by_person ON person_message (user_id);
-- For what is to be mailed instead.
CREATE INDEX person_message_untold ON person_message (created_at) WHERE state <> 'sent' AND mailed_at IS NULL;
CREATE INDEX person_message_old ON person_message (created_at) WHERE state <> 'queued';

ALTER TABLE person_message ENABLE ROW LEVEL SECURITY;
ALTER TABLE person_message FORCE ROW LEVEL SECURITY;
CREATE POLICY person_message_own ON person_message
  USING (('user:' || user_id) = (SELECT app.caller()) OR (SELECT app.is_worker()));

CREATE TRIGGER person_message_queued AFTER INSERT ON person_message FOR EACH STATEMENT
  EXECUTE FUNCTION app.announce_work();

-- What the bot says is written by workers; a person takes back what waits for it.
REVOKE INSERT, UPDATE ON person_message FROM copydesk_app;
GRANT INSERT, UPDATE ON person_message TO copydesk_worker;

CREATE OR REPLACE VIEW identity.person WITH (security_invoker = true) AS
  SELECT u.id, u.name, u.email, u.created_at,
    coalesce(u.two_factor_enabled, false)
      OR EXISTS (SELECT FROM identity.passkey k WHERE k.user_id = u.id) AS has_second_factor,
    a.accepted_at IS NOT NULL AS is_active,
    a.admin, a.super, a.super_since, a.provider_ids, a.disabled_at, a.confirmed_at, a.confirmed_by_id,
    s.seen_at,
    a.staff_roles
  FROM identity."user" u
  JOIN identity.user_access a ON a.user_id = u.id
  LEFT JOIN identity.user_seen s ON s.user_id = u.id;
COMMENT ON VIEW identity.person IS
  'Users with their permissions, independent of the identity service. is_active: the user has accepted the invitation '
  'and can sign in unless disabled.';
GRANT SELECT ON identity.person TO copydesk_app;

CREATE FUNCTION app.words_count() RETURNS boolean
  LANGUAGE sql STABLE
  SET search_path = public, pg_temp
BEGIN ATOMIC
  SELECT EXISTS (SELECT FROM platform_bot_reading r WHERE r.counts_from <= now());
END;
COMMENT ON FUNCTION app.words_count() IS 'Whether words read from the present bot of the platform count.';
GRANT EXECUTE ON FUNCTION app.words_count() TO copydesk_app;
