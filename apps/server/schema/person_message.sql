-- Written by `npm run generate` from a migrated database. Do not edit.

-- What the platform's bot writes to people of the console: in the transaction of its cause, and sent afterwards.
CREATE TABLE person_message (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  -- NULL: it is for a chat that is connected to no person.
  user_id uuid,
  telegram_user_id bigint NOT NULL,
  kind text NOT NULL,
  -- As shown, without markup.
  text text NOT NULL,
  -- Prevents a second message about the same fact.
  dedupe_key text NOT NULL,
  state text NOT NULL DEFAULT 'queued',
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL,
  leased_until timestamptz,
  lease_number bigint NOT NULL DEFAULT 0,
  -- Why the last attempt failed: a code of ours; problem_detail has the answer of the Bot API.
  problem text,
  problem_detail text,
  telegram_message_id bigint,
  created_at timestamptz NOT NULL,
  sent_at timestamptz,
  -- When it was mailed instead, since it had failed.
  mailed_at timestamptz,
  CONSTRAINT person_message_addressee CHECK ((user_id IS NULL) = (kind = ANY (ARRAY['disconnected', 'link_over']))),
  CONSTRAINT person_message_attempts_check CHECK (attempts >= 0),
  CONSTRAINT person_message_dedupe_key_key UNIQUE (dedupe_key),
  CONSTRAINT person_message_failed CHECK (state <> 'failed' OR problem IS NOT NULL),
  CONSTRAINT person_message_kind_check
    CHECK (kind = ANY (ARRAY['digest', 'news', 'connected', 'disconnected', 'link_over'])),
  CONSTRAINT person_message_pkey PRIMARY KEY (id),
  CONSTRAINT person_message_sent CHECK ((state = 'sent') = (sent_at IS NOT NULL)),
  CONSTRAINT person_message_state_check CHECK (state = ANY (ARRAY['queued', 'sent', 'failed'])),
  CONSTRAINT person_message_text_check CHECK (text <> ''),
  CONSTRAINT person_message_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity."user"(id) ON DELETE CASCADE
);

CREATE INDEX person_message_by_chat ON person_message (telegram_user_id, created_at DESC);
CREATE INDEX person_message_by_person ON person_message (user_id);
CREATE INDEX person_message_due ON person_message (due_at) WHERE state = 'queued';
CREATE INDEX person_message_old ON person_message (created_at) WHERE state <> 'queued';
CREATE INDEX person_message_untold ON person_message (created_at) WHERE state <> 'sent' AND mailed_at IS NULL;

ALTER TABLE person_message ENABLE ROW LEVEL SECURITY;
ALTER TABLE person_message FORCE ROW LEVEL SECURITY;
CREATE POLICY person_message_own ON person_message FOR ALL
  USING (('user:' || user_id) = ((SELECT app.caller())) OR (SELECT app.is_worker()));

CREATE TRIGGER person_message_queued AFTER INSERT ON person_message FOR EACH STATEMENT
  EXECUTE FUNCTION app.announce_work();
