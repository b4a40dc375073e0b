-- Messages of runs before 1278 that did not arrive: by the time and the traders of the run, as they were counted then.
SET LOCAL copydesk.bulk = 'on';
UPDATE message m SET invoicing_run_id = r.id FROM invoicing_run r
WHERE m.kind = 'invoice_created' AND m.state IN ('queued', 'failed') AND m.invoicing_run_id IS NULL
  AND m.created_at BETWEEN r.created_at AND coalesce(r.finished_at, now())
  AND (r.trader_id IS NULL OR m.trader_id = r.trader_id)
  AND (r.community_id IS NULL
    OR EXISTS (SELECT FROM trader t WHERE t.id = m.trader_id AND t.community_id = r.community_id));
