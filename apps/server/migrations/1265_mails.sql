-- Every mail waits here until the mail server has taken it: a server that is busy or away for minutes loses none.
CREATE TABLE mail (
  id uuid PRIMARY KEY,
  kind text NOT NULL
    CHECK (kind IN ('password_reset', 'invitation', 'account_changed', 'reveal_alarm', 'subscription')),
  recipient text NOT NULL CHECK (recipient <> ''),
  ciphertext bytea,
  wrapped_key bytea,
  master_key_id text,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'failed')),
  problem text,
  attempts int NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT mail_contents CHECK (
    num_nonnulls(ciphertext, wrapped_key, master_key_id) = CASE state WHEN 'waiting' THEN 3 ELSE 0 END),
  CONSTRAINT mail_failed CHECK (state = 'waiting' OR problem IS NOT NULL)
);
COMMENT ON TABLE mail IS
  'Mails that the mail server has not taken yet, and those that failed. A mail that was sent is deleted.';
COMMENT ON COLUMN mail.ciphertext IS
  'Subject and text, sealed: they hold links that open an account. NULL once it failed.';
COMMENT ON COLUMN mail.problem IS
  'Of a mail that failed: the reply code of the mail server, `expired` or `unreadable`. Never its words.';
COMMENT ON COLUMN mail.due_at IS 'The next attempt; while a process sends it, the end of its lease.';
COMMENT ON COLUMN mail.expires_at IS 'From then on it is useless, as its link is.';
CREATE INDEX mail_due ON mail (due_at) WHERE state = 'waiting';
CREATE INDEX mail_failed_at ON mail (created_at) WHERE state = 'failed';
CREATE TRIGGER mail_waiting AFTER INSERT ON mail FOR EACH STATEMENT
  EXECUTE FUNCTION app.announce_work();

ALTER TABLE mail ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY mail_scope ON mail FOR ALL USING ((SELECT app.sees_all()));
-- compatible: the table is new
REVOKE UPDATE ON mail FROM copydesk_app;
GRANT UPDATE (ciphertext, wrapped_key, master_key_id, state, problem, attempts, due_at) ON mail TO copydesk_app;

COMMENT ON COLUMN billing_mail.sent_at IS 'When it was handed over to the mails that wait to be sent.';
