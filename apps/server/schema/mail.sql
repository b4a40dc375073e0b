-- Written by `npm run generate` from a migrated database. Do not edit.

-- Mails that the mail server has not taken yet, and those that failed. A mail that was sent is deleted.
CREATE TABLE mail (
  id uuid NOT NULL,
  kind text NOT NULL,
  recipient text NOT NULL,
  -- Subject and text, sealed: they hold links that open an account. NULL once it failed.
  ciphertext bytea,
  wrapped_key bytea,
  master_key_id text,
  state text NOT NULL DEFAULT 'waiting',
  -- Of a mail that failed: the reply code of the mail server, `expired` or `unreadable`. Never its words.
  problem text,
  attempts integer NOT NULL DEFAULT 0,
  -- The next attempt. It moves with a lease, so that what is being sent is not searched.
  due_at timestamptz NOT NULL,
  -- From then on it is useless, as its link is.
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  -- Until then one process sends it.
  leased_until timestamptz,
  -- Fences off late writes of a process that lost its lease.
  lease_number bigint NOT NULL DEFAULT 0,
  CONSTRAINT mail_contents CHECK (num_nonnulls(ciphertext, wrapped_key, master_key_id) = CASE state
    WHEN 'waiting' THEN 3 ELSE 0 END),
  CONSTRAINT mail_failed CHECK (state = 'waiting' OR problem IS NOT NULL),
  CONSTRAINT mail_kind_check
    CHECK (kind = ANY (ARRAY['password_reset', 'invitation', 'account_changed', 'reveal_alarm', 'subscription',
    'attention'])),
  CONSTRAINT mail_pkey PRIMARY KEY (id),
  CONSTRAINT mail_recipient_check CHECK (recipient <> ''),
  CONSTRAINT mail_state_check CHECK (state = ANY (ARRAY['waiting', 'failed']))
);

CREATE INDEX mail_due ON mail (due_at) WHERE state = 'waiting';
CREATE INDEX mail_failed_at ON mail (created_at) WHERE state = 'failed';

ALTER TABLE mail ENABLE ROW LEVEL SECURITY;
ALTER TABLE mail FORCE ROW LEVEL SECURITY;
CREATE POLICY mail_scope ON mail FOR ALL
  USING ((SELECT app.sees_all()));

CREATE TRIGGER mail_waiting AFTER INSERT ON mail FOR EACH STATEMENT EXECUTE FUNCTION app.announce_work();
