-- How many exchange accounts a person has revealed lately: counted here, so that all API processes count together.
CREATE TABLE credential_reveal (
  user_id text NOT NULL,
  -- No reference: a reveal counts whatever becomes of the account.
  account_id uuid NOT NULL,
  revealed_at timestamptz NOT NULL,
  reason text CHECK (reason <> ''),
  burst text CHECK (burst IN ('reasons', 'accounts')),
  PRIMARY KEY (user_id, account_id, revealed_at)
);
COMMENT ON TABLE credential_reveal IS
  'One row for each exchange account that a person has revealed within ten minutes, whichever of its secrets and however often.';
COMMENT ON COLUMN credential_reveal.reason IS
  'Given because ten accounts had been revealed within the hour; opens the next ten.';
COMMENT ON COLUMN credential_reveal.burst IS 'Why this reveal alarmed the super admins.';

-- Of one person, lately.
CREATE INDEX credential_reveal_by_user ON credential_reveal (user_id, revealed_at);
-- For the figure and for pruning.
CREATE INDEX credential_reveal_by_time ON credential_reveal (revealed_at);

-- Persons count whatever provider they work in, so the scope does not narrow their own rows.
ALTER TABLE credential_reveal ENABLE ROW LEVEL SECURITY;
ALTER TABLE credential_reveal FORCE ROW LEVEL SECURITY;
CREATE POLICY credential_reveal_scope ON credential_reveal
  USING ('user:' || user_id = (SELECT app.caller()) OR (SELECT app.sees_all()))
  WITH CHECK ('user:' || user_id = (SELECT app.caller()));
-- The API takes no reveal back; workers delete old ones.
REVOKE UPDATE, DELETE ON credential_reveal FROM copydesk_app;
GRANT DELETE ON credential_reveal TO copydesk_worker;
