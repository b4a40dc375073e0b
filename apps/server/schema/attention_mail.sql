-- Written by `npm run generate` from a migrated database. Do not edit.

-- Which mails of what needs a person this person wants, and which it got.
CREATE TABLE attention_mail (
  user_id text NOT NULL,
  -- In the time zone of the person. NULL: never.
  digest_hour smallint,
  -- urgent: what is urgent; approvals: this, and what it may approve.
  at_once text NOT NULL DEFAULT 'nothing',
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- The day of the person on which the last digest was written.
  digest_on date,
  mailed_at timestamptz,
  -- The items that it was mailed at once and that still wait, each by its kind, subject and beginning.
  mailed text[] NOT NULL DEFAULT '{}'[],
  -- telegram: by the chat of the person, and by mail while that cannot be reached.
  channel text NOT NULL DEFAULT 'mail',
  CONSTRAINT attention_mail_at_once_check CHECK (at_once = ANY (ARRAY['nothing', 'urgent', 'approvals'])),
  CONSTRAINT attention_mail_channel_check CHECK (channel = ANY (ARRAY['mail', 'telegram'])),
  CONSTRAINT attention_mail_digest_hour_check CHECK (digest_hour >= 0 AND digest_hour <= 23),
  CONSTRAINT attention_mail_pkey PRIMARY KEY (user_id),
  CONSTRAINT attention_mail_user_id_check CHECK (user_id <> '')
);

ALTER TABLE attention_mail ENABLE ROW LEVEL SECURITY;
ALTER TABLE attention_mail FORCE ROW LEVEL SECURITY;
CREATE POLICY attention_mail_own ON attention_mail FOR ALL
  USING (('user:' || user_id) = ((SELECT app.caller())) OR (SELECT app.is_worker()));
