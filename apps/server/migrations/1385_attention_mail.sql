-- What waits for a person is mailed to it when it asks for that: once a day, and at once.
CREATE TABLE attention_mail (
  user_id text PRIMARY KEY CHECK (user_id <> ''),
  digest_hour smallint CHECK (digest_hour BETWEEN 0 AND 23),
  at_once text NOT NULL DEFAULT 'nothing' CHECK (at_once IN ('nothing', 'urgent', 'approvals')),
  updated_at timestamptz NOT NULL DEFAULT now(),
  digest_on date,
  mailed_at timestamptz,
  mailed text[] NOT NULL DEFAULT '{}'
);
COMMENT ON TABLE attention_mail IS 'Which mails of what needs a person this person wants, and which it got.';
COMMENT ON COLUMN attention_mail.digest_hour IS 'In the time zone of the person. NULL: never.';
COMMENT ON COLUMN attention_mail.at_once IS 'urgent: what is urgent; approvals: this, and what it may approve.';
COMMENT ON COLUMN attention_mail.digest_on IS 'The day of the person on which the last digest was written.';
COMMENT ON COLUMN attention_mail.mailed IS
  'The items that it was mailed at once and that still wait, each by its kind, subject and beginning.';
ALTER TABLE attention_mail ENABLE ROW LEVEL SECURITY;
ALTER TABLE attention_mail FORCE ROW LEVEL SECURITY;
CREATE POLICY attention_mail_own ON attention_mail
  USING (('user:' || user_id) = (SELECT app.caller()) OR (SELECT app.is_worker()));

-- compatible: the constraint that follows takes every row of this one
ALTER TABLE mail DROP CONSTRAINT mail_kind_check;
ALTER TABLE mail ADD CONSTRAINT mail_kind_check CHECK (kind IN ('password_reset', 'invitation', 'account_changed',
  'reveal_alarm', 'subscription', 'attention')) NOT VALID;
