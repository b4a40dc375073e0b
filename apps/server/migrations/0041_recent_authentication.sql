-- When the person of a session last proved who it is: money, secrets and users ask for it anew after ten minutes.
ALTER TABLE identity.session
  ADD COLUMN authenticated_at timestamptz,
  -- By the code of an authenticator app, or a backup code; NULL: not in this session.
  ADD COLUMN second_factor_at timestamptz;
UPDATE identity.session SET authenticated_at = created_at;
ALTER TABLE identity.session ALTER COLUMN authenticated_at SET NOT NULL;

-- Attempts are counted for an account from one network, which locks, and for an account as a whole, which only slows.
-- A key is the SHA-256 of what it stands for.
ALTER TABLE identity.sign_in_failure RENAME COLUMN account_hash TO key_hash;
TRUNCATE identity.sign_in_failure;
