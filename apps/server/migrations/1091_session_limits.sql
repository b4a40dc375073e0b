-- expires_at moves with the input of the person; this does not.
ALTER TABLE identity.session ADD COLUMN ends_at timestamptz;
COMMENT ON COLUMN identity.session.ends_at IS
  'The latest end of the session, whatever its user does. NULL: of an earlier version, so by created_at.';
COMMENT ON TABLE identity.sign_in_failure IS
  'Failed sign-ins, and mails about a new password. Failures are counted for an account from one network, which locks, and for an account as a whole, which only slows; mails for the account.';
