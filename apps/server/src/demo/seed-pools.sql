-- Pools of four communities: three trade, one is open. Their books begin with an opening, as those of an imported pool:
-- members' virtual balances against the money at the exchange, or in the proxy wallet of the open one.

UPDATE community SET owner_name = 'Owner of ' || name,
  owner_language = (ARRAY['en', 'es', 'pl', 'ru'])[1 + internal_wallet_index % 4]
WHERE id IN (SELECT id FROM community WHERE NOT is_archived ORDER BY name LIMIT 4);

INSERT INTO pooled_account (community_id, minimum_deposit_units)
SELECT id, 100 * 10::numeric ^ 18 FROM community WHERE owner_name IS NOT NULL ORDER BY name;

INSERT INTO harvest_cycle (pooled_account_id, cycle_number, status, step, started_at, ended_at, since, created_at)
SELECT p.id, n, CASE WHEN is_open THEN 'harvesting' ELSE 'stopped' END, CASE WHEN is_open THEN 'open' ELSE 'trading' END,
  CASE WHEN n < 3 OR is_open THEN began_at END, CASE WHEN n < 3 THEN began_at + interval '1 day' END,
  began_at, began_at
FROM pooled_account p JOIN community c ON c.id = p.community_id
CROSS JOIN LATERAL (SELECT n, n = 3 AND p.proxy_index = (SELECT min(proxy_index) + 1 FROM pooled_account) AS is_open,
  now() - make_interval(days => 90 - 25 * n) AS began_at FROM generate_series(1, 3) n) cycle;

INSERT INTO pool_member (pooled_account_id, trader_id, created_at)
SELECT p.id, t.id, now() - interval '90 days'
FROM pooled_account p JOIN trader t ON t.community_id = p.community_id
WHERE t.status = 'connected' AND abs(hashtext(t.id::text)) % 2 = 0 AND t.deposit_index <= 600
ORDER BY t.deposit_index;

INSERT INTO ledger_account (kind, owner_id, asset)
SELECT 'pool_capital', id, 'USDT' FROM pool_member
UNION ALL SELECT CASE h.status WHEN 'harvesting' THEN 'pool_proxy' ELSE 'pool_exchange' END, h.pooled_account_id, 'USDT'
  FROM harvest_cycle h WHERE h.ended_at IS NULL
    AND EXISTS (SELECT FROM pool_member m WHERE m.pooled_account_id = h.pooled_account_id);

INSERT INTO journal (kind, source_type, source_id, actor_kind, actor_id, actor_name)
SELECT 'pool_opened', 'pool', pooled_account_id::text, 'system', 'import', 'import'
FROM pool_member GROUP BY pooled_account_id;

-- All postings of a journal come in one statement.
WITH capital AS (
  SELECT j.id AS journal_id, m.pooled_account_id, a.id AS account_id,
    (200 + abs(hashtext(m.trader_id::text)) % 5000) * 10::numeric ^ 18 AS units
  FROM pool_member m JOIN ledger_account a ON a.kind = 'pool_capital' AND a.owner_id = m.id
  JOIN journal j ON j.kind = 'pool_opened' AND j.source_id = m.pooled_account_id::text)
INSERT INTO posting (journal_id, account_id, asset, amount)
SELECT journal_id, account_id, 'USDT', -units FROM capital
UNION ALL SELECT c.journal_id, a.id, 'USDT', sum(c.units) FROM capital c
  JOIN ledger_account a ON a.owner_id = c.pooled_account_id AND a.kind IN ('pool_proxy', 'pool_exchange')
  GROUP BY c.journal_id, a.id;

-- The seed alters tables afterwards, which needs every deferred check to have run.
SET CONSTRAINTS ALL IMMEDIATE;
SET CONSTRAINTS ALL DEFERRED;
