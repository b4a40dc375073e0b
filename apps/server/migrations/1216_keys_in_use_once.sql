-- A key that is kept for a last read may be connected elsewhere meanwhile.
CREATE UNIQUE INDEX CONCURRENTLY exchange_credential_in_use_once ON exchange_credential (fingerprint)
  WHERE field = 'api_key' AND NOT kept_for_last_read;
