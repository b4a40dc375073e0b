-- Sums of AUM say how many accounts they leave out.
CREATE INDEX CONCURRENTLY exchange_account_unread ON exchange_account (trader_id, provider_id)
  WHERE removed_at IS NULL AND equity IS NULL;
