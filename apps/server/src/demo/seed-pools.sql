-- Pools of four communities: three trade, one is open. Their books begin with an opening, as those of an imported pool:
-- members' virtual balances against the money at the exchange, or in the proxy wallet of the open one. The results of
-- earlier cycles are imported too: a loss, and a smaller profit that costs no fee.

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

INSERT INTO journal (kind, source_type, source_id, actor_kind, actor_id, actor_name, created_at)
SELECT 'pool_opened', 'pool', pooled_account_id::text, 'system', 'import', 'import', min(created_at)
FROM pool_member GROUP BY pooled_account_id;

CREATE TEMPORARY TABLE imported ON COMMIT DROP AS
SELECT m.pooled_account_id, m.id AS member_id, t.selected_provider_id AS provider_id, h.id AS cycle_id, r.cycle_number,
  r.share_units, r.share_units * r.rate AS allocated_units, r.carry_units, coalesce(h.ended_at, h.since) AS booked_at,
  row_number() OVER (PARTITION BY h.id ORDER BY m.id) - 1 AS place
FROM pool_member m JOIN trader t ON t.id = m.trader_id JOIN pooled_account p ON p.id = m.pooled_account_id
CROSS JOIN LATERAL (
  SELECT (200 + abs(hashtext(m.trader_id::text)) % 5000) * 10::numeric ^ 18 AS opening_units,
    -0.02 - 0.007 * (p.proxy_index % 4) AS first, 0.011 + 0.003 * (p.proxy_index % 4) AS second) o
CROSS JOIN LATERAL (VALUES
  (1, o.opening_units, first, -o.opening_units * first),
  (2, o.opening_units * (1 + first), second, -o.opening_units * (first + (1 + first) * second)),
  (3, o.opening_units * (1 + first) * (1 + second), -0.008,
    -o.opening_units * (first + (1 + first) * (second + (1 + second) * -0.008)))
) r (cycle_number, share_units, rate, carry_units)
JOIN harvest_cycle h ON h.pooled_account_id = p.id AND h.cycle_number = r.cycle_number
  AND (h.ended_at IS NOT NULL OR h.status = 'harvesting');

UPDATE harvest_cycle h SET result_units = r.result_units, valued_exchange_units = r.opening_units,
  valued_returned_units = r.opening_units + r.result_units, valued_lost_units = 0, valued_unexplained_units = 0,
  valued_uncovered_units = 0,
  frozen_capital_units = CASE WHEN h.ended_at IS NOT NULL THEN r.opening_units + r.result_units END
FROM (SELECT c.id, coalesce(sum(i.share_units), 0) AS opening_units, coalesce(sum(i.allocated_units), 0) AS result_units
  FROM harvest_cycle c LEFT JOIN imported i ON i.cycle_id = c.id GROUP BY c.id) r
WHERE h.id = r.id AND (h.ended_at IS NOT NULL OR h.status = 'harvesting');

INSERT INTO saga_event (saga, saga_id, version, at, event, role, actor_kind, actor_id, actor_name, from_state, to_state)
SELECT 'harvest', id, 1, since, 'valued', 'worker', 'system', 'import', 'import', 'processing_invoices/valuing',
  'processing_invoices/opening'
FROM harvest_cycle WHERE status = 'harvesting' AND ended_at IS NULL;

INSERT INTO harvest_allocation (cycle_id, member_id, place, share_units, allocated_units, winners_units,
  carry_before_units, carry_after_units, fee_units, capital_after_units, provider_id, booked_at)
SELECT cycle_id, member_id, place, share_units, allocated_units, 0,
  coalesce(lag(carry_units) OVER (PARTITION BY member_id ORDER BY cycle_number), 0), carry_units, 0,
  share_units + allocated_units, provider_id, booked_at
FROM imported;

UPDATE pool_member m SET carry_units = i.carry_units
FROM (SELECT DISTINCT ON (member_id) member_id, carry_units FROM imported ORDER BY member_id, cycle_number DESC) i
WHERE m.id = i.member_id;

INSERT INTO journal (kind, source_type, source_id, actor_kind, actor_id, actor_name, created_at)
SELECT 'pool_valued', 'harvest_cycle', cycle_id::text || ':1', 'system', 'import', 'import', min(booked_at)
FROM imported GROUP BY cycle_id;

-- All postings of a journal come in one statement.
WITH moved AS (
  SELECT j.id AS journal_id, i.pooled_account_id, i.member_id, i.share_units AS units
  FROM imported i JOIN journal j ON j.kind = 'pool_opened' AND j.source_id = i.pooled_account_id::text
  WHERE i.cycle_number = 1
  UNION ALL
  SELECT j.id, i.pooled_account_id, i.member_id, i.allocated_units
  FROM imported i JOIN journal j ON j.kind = 'pool_valued' AND j.source_id = i.cycle_id::text || ':1')
INSERT INTO posting (journal_id, account_id, asset, amount)
SELECT m.journal_id, a.id, 'USDT', -m.units FROM moved m
  JOIN ledger_account a ON a.kind = 'pool_capital' AND a.owner_id = m.member_id
UNION ALL SELECT m.journal_id, a.id, 'USDT', sum(m.units) FROM moved m
  JOIN ledger_account a ON a.owner_id = m.pooled_account_id AND a.kind IN ('pool_proxy', 'pool_exchange')
  GROUP BY m.journal_id, a.id;

-- The seed alters tables afterwards, which needs every deferred check to have run.
SET CONSTRAINTS ALL IMMEDIATE;
SET CONSTRAINTS ALL DEFERRED;
