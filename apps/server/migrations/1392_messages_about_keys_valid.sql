ALTER TABLE message VALIDATE CONSTRAINT message_kind_check;
