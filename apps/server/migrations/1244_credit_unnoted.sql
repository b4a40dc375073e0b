-- Workers look for what buyers were not told yet every second.
CREATE INDEX CONCURRENTLY exchange_bot_sale_credit_unnoted ON exchange_bot_sale (ended_at)
  WHERE credit_units IS NOT NULL AND credit_noted_at IS NULL;
