-- Some exchanges end keys after a time: their traders are asked for a new one before.
ALTER TABLE exchange_account ADD COLUMN key_expires_at timestamptz, ADD COLUMN key_read_at timestamptz;
COMMENT ON COLUMN exchange_account.key_expires_at IS
  'When the exchange ends the key, as it last said. NULL: never, or the exchange does not say.';
COMMENT ON COLUMN exchange_account.key_read_at IS
  'When the exchange was last asked about the key. NULL: not yet, or it says nothing of its end.';
