-- Whether a backup was encrypted, for those who check an installation. The version before notes nothing, as does the past.
ALTER TABLE backup_record ADD COLUMN is_encrypted boolean;
COMMENT ON COLUMN backup_record.is_encrypted IS
  'Whether only a private key that is kept elsewhere opens it. NULL: nothing says so, and it is plain.';
