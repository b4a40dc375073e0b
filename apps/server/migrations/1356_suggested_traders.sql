CREATE INDEX CONCURRENTLY trader_suggested ON trader (suggested_delinquent_at)
  WHERE suggested_delinquent_at IS NOT NULL AND status <> 'delinquent';
