-- What the people of a community hear about its subscription: its owner by Telegram, its staff by e-mail.

ALTER TABLE message
  DROP CONSTRAINT message_kind_check,
  ADD CONSTRAINT message_kind_check CHECK (kind IN ('invoice_created', 'invoice_due_soon', 'invoice_overdue',
    'invoice_paid', 'unpaid_invoices', 'withdraw_funds', 'withdraw_reminder', 'withdrawal_cancelled',
    'trial_ending', 'payment_failed', 'grace_ending', 'subscription_ended'));

CREATE TABLE billing_mail (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  community_id uuid NOT NULL REFERENCES community ON DELETE CASCADE,
  user_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('trial_ending', 'payment_failed', 'grace_ending', 'subscription_ended')),
  dedupe_key text NOT NULL,
  subject text NOT NULL CHECK (subject <> ''),
  body text NOT NULL CHECK (body <> ''),
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sent', 'failed')),
  attempts int NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz,
  CONSTRAINT billing_mail_once UNIQUE (dedupe_key, user_id),
  CONSTRAINT billing_mail_sent CHECK ((state = 'sent') = (sent_at IS NOT NULL))
);
COMMENT ON TABLE billing_mail IS 'E-mails about subscriptions, written once for each fact and person, and sent afterwards.';
COMMENT ON COLUMN billing_mail.user_id IS 'The person. The address is read when it is sent, and not stored here.';
COMMENT ON COLUMN billing_mail.due_at IS 'The next attempt; while a worker sends, the end of its lease.';
CREATE INDEX billing_mail_due ON billing_mail (due_at) WHERE state = 'queued';
CREATE INDEX billing_mail_by_community ON billing_mail (community_id, created_at);
CREATE TRIGGER billing_mail_queued AFTER INSERT ON billing_mail FOR EACH STATEMENT
  EXECUTE FUNCTION app.announce_work();

ALTER TABLE billing_mail ENABLE ROW LEVEL SECURITY;
ALTER TABLE billing_mail FORCE ROW LEVEL SECURITY;
CREATE POLICY billing_mail_scope ON billing_mail FOR ALL USING ((SELECT app.sees_all()));
REVOKE ALL ON billing_mail FROM copydesk_app;
GRANT SELECT, INSERT ON billing_mail TO copydesk_app;
GRANT UPDATE (state, attempts, due_at, sent_at) ON billing_mail TO copydesk_app;
