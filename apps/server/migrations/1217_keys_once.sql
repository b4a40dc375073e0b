ALTER TABLE account_reading VALIDATE CONSTRAINT account_reading_unread;
-- compatible: exchange_credential_in_use_once keeps keys apart
DROP INDEX exchange_credential_once;
