-- Gas is booked by the community that pays it. One account for all made every concluded transfer wait for the balance
-- row of the others, whatever their community.
ALTER TABLE ledger_account DROP CONSTRAINT ledger_account_check;
ALTER TABLE ledger_account ADD CONSTRAINT ledger_account_owner_check
  CHECK (owner_id <> '00000000-0000-0000-0000-000000000000' OR kind IN ('gas_wallet', 'gas_spent', 'platform'));

-- The limit of a day holds for all communities together. A claim is made in a short transaction of its own, so that
-- signing does not hold the lock of the limit.
ALTER TABLE transfer ADD COLUMN limit_claimed_at timestamptz;
COMMENT ON COLUMN transfer.limit_claimed_at IS
  'When a worker last counted the transfer toward the limit of a day, before it signs it. Counts while it is planned.';
GRANT UPDATE (limit_claimed_at) ON transfer TO copydesk_app;
-- The sum of a day reads only claims that are not signed yet; there are seldom more than a few.
CREATE INDEX transfer_by_limit_claim ON transfer (limit_claimed_at)
  WHERE state = 'planned' AND limit_claimed_at IS NOT NULL;
