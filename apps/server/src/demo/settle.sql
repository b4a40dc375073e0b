-- What follows from the loaded rows, their payables and payouts: sums and days.

INSERT INTO trader_provider (trader_id, provider_id, account_count, aum, aum_read_at, tab, is_shared, community_id,
  reference_sort, handle_sort, created_at)
SELECT t.id, p.provider_id, count(a.id), sum(a.equity), min(a.equity_read_at),
       t.tab, count(*) OVER (PARTITION BY t.id) > 1, t.community_id, t.reference_sort, t.handle_sort, t.created_at
FROM trader t
JOIN (SELECT id AS trader_id, selected_provider_id AS provider_id FROM trader
      UNION SELECT trader_id, provider_id FROM exchange_account) p ON p.trader_id = t.id
LEFT JOIN exchange_account a ON a.trader_id = t.id AND a.provider_id = p.provider_id
GROUP BY t.id, p.provider_id;

SELECT app.refresh_invoice_sums(ARRAY(SELECT DISTINCT trader_id FROM invoice));
SELECT app.refresh_payouts(ARRAY(SELECT id FROM payout));
SELECT app.refresh_trader_text(NULL), app.refresh_trader_sets(NULL, NULL), app.refresh_payout_sets(NULL, NULL);

-- Up to the hour of the world everything closed is known; the first reads are spread over the interval of reading.
INSERT INTO account_reading (account_id, provider_id, exchange, due_at, closed_known_to, closed_read_at,
  closed_rescanned_at, finished_at)
SELECT id, provider_id, exchange, now() + make_interval(secs =>
    abs(hashtext(id::text)) % current_setting('copydesk.reading_every_seconds')::integer),
  date_trunc('hour', now()), date_trunc('hour', now()) - make_interval(secs => abs(hashtext(acc_uid)) % 3600),
  date_trunc('hour', now()), equity_read_at
FROM exchange_account;

INSERT INTO closed_position_day (account_id, day, trader_id, provider_id, positions, closed_pnl, unknown_profit)
SELECT account_id, app.utc_day(closed_at), trader_id, provider_id, count(*), sum(coalesce(closed_pnl, 0)),
  count(*) FILTER (WHERE closed_pnl IS NULL)
FROM closed_position GROUP BY 1, 2, 3, 4;

-- Equity of each day: that of today less what was earned since. A year of a hundred thousand traders would be
-- millions of rows that no benchmark reads, so only the first have one.
INSERT INTO equity_snapshot (trader_id, provider_id, day, equity)
SELECT trader_id, provider_id, day, round(greatest(aum - earned_since, aum * 0.1), 2)
FROM (
  SELECT p.trader_id, p.provider_id, g::date AS day, p.aum, coalesce(sum(c.closed_pnl) OVER (
    PARTITION BY p.trader_id, p.provider_id ORDER BY g DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)
    AS earned_since
  FROM trader_provider p
  JOIN trader t ON t.id = p.trader_id AND t.deposit_index <= 2000
  CROSS JOIN LATERAL generate_series(app.utc_day(t.created_at), app.utc_day(now()), interval '1 day') g
  LEFT JOIN (
    SELECT trader_id, provider_id, day, sum(closed_pnl) AS closed_pnl
    FROM closed_position_day GROUP BY trader_id, provider_id, day) c
    ON c.trader_id = p.trader_id AND c.provider_id = p.provider_id AND c.day = g::date
  WHERE p.aum > 0) earned
WHERE day < app.utc_day(now());

INSERT INTO community_day (community_id, provider_id, day, equity)
SELECT t.community_id, s.provider_id, s.day, sum(s.equity)
FROM equity_snapshot s JOIN trader t ON t.id = s.trader_id GROUP BY 1, 2, 3;

-- Invoices that were paid on chain before the hour of the world have no payments; what came in is known all the same.
INSERT INTO community_day (community_id, provider_id, day, received_units)
SELECT i.community_id, i.provider_id, app.utc_day(i.paid_at), sum(i.paid_units)
FROM invoice i WHERE i.status = 'paid' AND i.settled_by = 'chain' GROUP BY 1, 2, 3
ON CONFLICT (community_id, day, provider_id) DO UPDATE SET received_units = excluded.received_units;

-- An exchange corrected one profit after it was paid for: a super admin deducts it on the first day (first-acts.ts). Of a
-- trader without profit to invoice, so that the deduction stays open; before what the worker reads again.
UPDATE closed_position SET corrected_pnl = trunc(closed_pnl * 0.4, 2), corrected_at = date_trunc('hour', now())
WHERE id = (
  SELECT p.id FROM trader t JOIN closed_position p ON p.trader_id = t.id JOIN invoice i ON i.id = p.invoice_id
  WHERE t.tab = 'connected' AND i.status = 'paid' AND p.closed_pnl > 100 AND p.closed_at < now() - interval '60 days'
    AND NOT EXISTS (SELECT FROM closed_position o
      WHERE o.trader_id = t.id AND o.invoice_id IS NULL AND o.closed_pnl > 0)
  ORDER BY t.deposit_index, p.closed_at, p.venue_id LIMIT 1);
