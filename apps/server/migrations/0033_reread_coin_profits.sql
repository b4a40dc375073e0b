-- Profits in a coin were stored as if they were dollars where the contract had expired or settled in another coin than
-- bitcoin. What was not invoiced yet is read again and corrected, of every account that closed such a contract; exchanges
-- remember about three months of them.

SELECT set_config('copydesk.scope', 'all', true), set_config('copydesk.bulk', 'on', true);

UPDATE account_reading r
SET closed_known_to = NULL, closed_read_at = NULL, closed_since = NULL, closed_until = NULL, closed_cursor = NULL
WHERE EXISTS (
  SELECT FROM closed_position c
  WHERE c.account_id = r.account_id AND c.invoice_id IS NULL AND c.symbol !~ '(USDT|USDC|FDUSD|BUSD)$');
