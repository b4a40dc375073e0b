-- Written by `npm run generate` from a migrated database. Do not edit.

-- Failed sign-ins, and mails about a new password. Failures are counted for an account from one network, which
-- locks, and for an account as a whole, which only slows; mails for the account.
CREATE TABLE identity.sign_in_failure (
  -- SHA-256 of the account, or of account and network. The account is the e-mail address as typed, whether or not a
  -- user has it.
  key_hash bytea NOT NULL,
  failures integer NOT NULL,
  blocked_until timestamptz,
  forget_at timestamptz NOT NULL,
  CONSTRAINT sign_in_failure_account_hash_check CHECK (length(key_hash) = 32),
  CONSTRAINT sign_in_failure_pkey PRIMARY KEY (key_hash)
);

CREATE INDEX sign_in_failure_by_forgetting ON identity.sign_in_failure (forget_at);
