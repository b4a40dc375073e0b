-- An exchange with platforms for some countries knows a key at one of them only. The name is looked up in a fixed list
-- of the exchange's own hosts, so that a value from here cannot lead a key elsewhere. The version before reads such an
-- account at the main platform, which refuses its key until the new version reads it again.
ALTER TABLE exchange_account ADD COLUMN region text
  CONSTRAINT exchange_account_region_check CHECK (region ~ '^[a-z]{2,8}$');

COMMENT ON COLUMN exchange_account.region IS
  'The regional platform of the exchange that knows the key, as in eea; null: its main one.';
