-- Written by `npm run generate` from a migrated database. Do not edit.

-- E-mails about subscriptions, written once for each fact and person, and sent afterwards.
CREATE TABLE billing_mail (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  community_id uuid NOT NULL,
  -- The person. The address is read when it is sent, and not stored here.
  user_id uuid NOT NULL,
  kind text NOT NULL,
  dedupe_key text NOT NULL,
  subject text NOT NULL,
  body text NOT NULL,
  state text NOT NULL DEFAULT 'queued',
  attempts integer NOT NULL DEFAULT 0,
  -- The next attempt; while a worker sends, the end of its lease.
  due_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When it was handed over to the mails that wait to be sent.
  sent_at timestamptz,
  CONSTRAINT billing_mail_body_check CHECK (body <> ''),
  CONSTRAINT billing_mail_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id) ON DELETE CASCADE,
  CONSTRAINT billing_mail_kind_check
    CHECK (kind = ANY (ARRAY['trial_ending', 'payment_failed', 'grace_ending', 'subscription_ended'])),
  CONSTRAINT billing_mail_once UNIQUE (dedupe_key, user_id),
  CONSTRAINT billing_mail_pkey PRIMARY KEY (id),
  CONSTRAINT billing_mail_sent CHECK ((state = 'sent') = (sent_at IS NOT NULL)),
  CONSTRAINT billing_mail_state_check CHECK (state = ANY (ARRAY['queued', 'sent', 'failed'])),
  CONSTRAINT billing_mail_subject_check CHECK (subject <> '')
);

CREATE INDEX billing_mail_by_community ON billing_mail (community_id, created_at);
CREATE INDEX billing_mail_due ON billing_mail (due_at) WHERE state = 'queued';
CREATE INDEX billing_mail_failed ON billing_mail (created_at) WHERE state = 'failed';

ALTER TABLE billing_mail ENABLE ROW LEVEL SECURITY;
ALTER TABLE billing_mail FORCE ROW LEVEL SECURITY;
CREATE POLICY billing_mail_scope ON billing_mail FOR ALL
  USING ((SELECT app.sees_all()));

CREATE TRIGGER billing_mail_queued AFTER INSERT ON billing_mail FOR EACH STATEMENT
  EXECUTE FUNCTION app.announce_work();
