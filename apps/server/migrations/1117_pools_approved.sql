-- Pools of before were set up by the owner or connected by one person; all of them are approved.
ALTER TABLE pooled_account VALIDATE CONSTRAINT pooled_account_active_approved;
