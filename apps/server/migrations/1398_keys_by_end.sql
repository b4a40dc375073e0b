-- Attention asks for the few that end soon.
CREATE INDEX CONCURRENTLY exchange_account_key_ends ON exchange_account (key_expires_at)
  WHERE removed_at IS NULL AND key_expires_at IS NOT NULL;
