-- A second raise of a circuit breaker does not take the place of the first one.

ALTER TABLE pooled_account
  ADD COLUMN breaker_raises jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(breaker_raises) = 'array');
COMMENT ON COLUMN pooled_account.breaker_raises IS
  'Who raised or removed the limit since the pool traded last, and the lowest limit of each before: [{by, from}]. It still holds for them.';
COMMENT ON COLUMN pooled_account.breaker_raised_by IS
  'The latest of breaker_raises, for the version before.';
