-- What was ordered lately, for the sums of a day.
CREATE INDEX CONCURRENTLY transfer_paying_by_time ON transfer (created_at)
  WHERE kind = 'distribute' AND state IN ('planned', 'sent', 'final');
