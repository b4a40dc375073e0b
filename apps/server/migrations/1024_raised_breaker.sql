-- Whoever raises the limit of a circuit breaker does not let the pool trade on alone.

ALTER TABLE pooled_account
  ADD COLUMN breaker_raised_by text,
  ADD COLUMN breaker_raised_from numeric(5, 2),
  ADD CONSTRAINT pooled_account_breaker_raised CHECK ((breaker_raised_by IS NULL) = (breaker_raised_from IS NULL));
COMMENT ON COLUMN pooled_account.breaker_raised_by IS
  'The super admin who raised or removed the limit since the pool traded last. For them the earlier limit still holds.';
