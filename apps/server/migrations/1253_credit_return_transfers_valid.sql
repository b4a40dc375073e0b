ALTER TABLE transfer VALIDATE CONSTRAINT transfer_kind_check;
