-- A drawdown at which a pool does not trade on.

ALTER TABLE pooled_account ADD COLUMN max_drawdown_percentage numeric(5, 2)
  CHECK (max_drawdown_percentage > 0 AND max_drawdown_percentage <= 100);
COMMENT ON COLUMN pooled_account.max_drawdown_percentage IS
  'Per cent below the highest unit price at which the harvest of the pool cannot be stopped; NULL: no limit.';
