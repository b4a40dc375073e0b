-- Written by `npm run generate` from a migrated database. Do not edit.

-- One row for each exchange account that a person has revealed within ten minutes, whichever of its secrets and
-- however often.
CREATE TABLE credential_reveal (
  user_id text NOT NULL,
  account_id uuid NOT NULL,
  revealed_at timestamptz NOT NULL,
  -- Given because ten accounts had been revealed within the hour; opens the next ten.
  reason text,
  -- Why this reveal alarmed the super admins.
  burst text,
  CONSTRAINT credential_reveal_burst_check CHECK (burst = ANY (ARRAY['reasons', 'accounts'])),
  CONSTRAINT credential_reveal_pkey PRIMARY KEY (user_id, account_id, revealed_at),
  CONSTRAINT credential_reveal_reason_check CHECK (reason <> '')
);

CREATE INDEX credential_reveal_by_time ON credential_reveal (revealed_at);
CREATE INDEX credential_reveal_by_user ON credential_reveal (user_id, revealed_at);

ALTER TABLE credential_reveal ENABLE ROW LEVEL SECURITY;
ALTER TABLE credential_reveal FORCE ROW LEVEL SECURITY;
CREATE POLICY credential_reveal_scope ON credential_reveal FOR ALL
  USING (('user:' || user_id) = ((SELECT app.caller())) OR (SELECT app.sees_all()))
  WITH CHECK (('user:' || user_id) = ((SELECT app.caller())));
