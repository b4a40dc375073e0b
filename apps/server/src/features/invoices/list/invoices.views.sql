-- Written by `npm run generate` from the views beside it. Do not edit.

-- For a super admin: a page, newest first.
WITH
page AS MATERIALIZED (
  SELECT id, "key_1", "key_2", row_number() OVER () AS position
  FROM (SELECT * FROM (SELECT i.id, "i"."created_at" AS "key_1", "i"."id" AS "key_2" FROM invoice i
      WHERE true AND true AND NOT i.is_archived ORDER BY "i"."created_at" DESC, "i"."id" DESC LIMIT 50) reached
    OFFSET $1 LIMIT 50) found)
SELECT string_agg(row_to_json(r)::text, ',' ORDER BY position) AS part,
(SELECT count(*)::int FROM page) AS rows, (SELECT ARRAY[("key_1" AT TIME ZONE 'UTC')::text || '+00', "key_2"::text] FROM page ORDER BY position DESC LIMIT 1) AS last
FROM page
CROSS JOIN LATERAL (SELECT * FROM invoice i WHERE i.id = page.id OFFSET 0) i
CROSS JOIN LATERAL (SELECT * FROM trader t WHERE t.id = i.trader_id OFFSET 0) t
LEFT JOIN provider p ON p.id = i.provider_id
CROSS JOIN LATERAL (SELECT
  i.id, i.trader_id, trim_scale(i.amount_units * 0.000000000000000001)::text AS amount, trim_scale(ceil(i.amount_units * 0.000000000001) * 0.000001)::text AS asked_amount,
  trim_scale(i.paid_units * 0.000000000000000001)::text AS paid_amount,
  trim_scale(app.on_chain_units(i.paid_units, i.off_platform_units) * 0.000000000000000001)::text AS on_chain_amount, trim_scale(app.settled_elsewhere(i.status, i.settled_by, i.amount_units, i.paid_units, i.off_platform_units) * 0.000000000000000001)::text AS off_platform_amount,
  trim_scale(i.amount_units * CASE WHEN i.invoice_type = 'exchange_bot' THEN 0
    ELSE coalesce(p.payment_split_percentage, '0.70'::numeric) END * 0.000000000000000001)::text AS provider_share, i.payment_address,
  i.status = 'paid' AS is_paid, i.is_archived, (i.status = 'pending' AND NOT i.is_archived AND i.due_at < now()) AS is_overdue,
  EXISTS (SELECT FROM money_order_line l JOIN money_order o ON o.id = l.order_id
    WHERE l.subject_id = i.id AND o.state = 'awaiting_approval') AS is_awaiting_approval, i.status, i.invoice_type, i.community_id,
  i.exchange, json_build_object('id', t.id, 'name', t.name,
    'telegram_username', t.telegram_username, 'reference_number', t.reference_number) AS trader,
  CASE WHEN p.id IS NOT NULL THEN json_build_object('id', p.id, 'name', p.display_name) END AS provider,
  app.iso(i.due_at) AS due_at, app.iso(i.created_at) AS created_at, app.iso(i.updated_at) AS updated_at) r
GROUP BY (position - 1) / 50 ORDER BY (position - 1) / 50;

-- For staff of one provider: a page, newest first.
WITH
page AS MATERIALIZED (
  SELECT id, "key_1", "key_2", row_number() OVER () AS position
  FROM (SELECT * FROM (SELECT i.id, "i"."created_at" AS "key_1", "i"."id" AS "key_2" FROM invoice i
      WHERE "i"."provider_id" = $1::uuid AND EXISTS (SELECT FROM trader_provider seen WHERE seen.trader_id = "i"."trader_id"
        AND seen.provider_id = ANY ($2::uuid[])) AND NOT i.is_archived ORDER BY "i"."created_at" DESC, "i"."id" DESC LIMIT 50) reached
    OFFSET $3 LIMIT 50) found)
SELECT string_agg(row_to_json(r)::text, ',' ORDER BY position) AS part,
(SELECT count(*)::int FROM page) AS rows, (SELECT ARRAY[("key_1" AT TIME ZONE 'UTC')::text || '+00', "key_2"::text] FROM page ORDER BY position DESC LIMIT 1) AS last
FROM page
CROSS JOIN LATERAL (SELECT * FROM invoice i WHERE i.id = page.id OFFSET 0) i
CROSS JOIN LATERAL (SELECT * FROM trader t WHERE t.id = i.trader_id OFFSET 0) t
LEFT JOIN provider p ON p.id = i.provider_id
CROSS JOIN LATERAL (SELECT
  i.id, i.trader_id, trim_scale(i.amount_units * 0.000000000000000001)::text AS amount, trim_scale(ceil(i.amount_units * 0.000000000001) * 0.000001)::text AS asked_amount,
  trim_scale(i.paid_units * 0.000000000000000001)::text AS paid_amount,
  trim_scale(app.on_chain_units(i.paid_units, i.off_platform_units) * 0.000000000000000001)::text AS on_chain_amount, trim_scale(app.settled_elsewhere(i.status, i.settled_by, i.amount_units, i.paid_units, i.off_platform_units) * 0.000000000000000001)::text AS off_platform_amount,
  trim_scale(i.amount_units * CASE WHEN i.invoice_type = 'exchange_bot' THEN 0
    ELSE coalesce(p.payment_split_percentage, '0.70'::numeric) END * 0.000000000000000001)::text AS provider_share, i.payment_address,
  i.status = 'paid' AS is_paid, i.is_archived, (i.status = 'pending' AND NOT i.is_archived AND i.due_at < now()) AS is_overdue,
  EXISTS (SELECT FROM money_order_line l JOIN money_order o ON o.id = l.order_id
    WHERE l.subject_id = i.id AND o.state = 'awaiting_approval') AS is_awaiting_approval, i.status, i.invoice_type, i.community_id,
  i.exchange, json_build_object('id', t.id, 'name', t.name,
    'telegram_username', t.telegram_username, 'reference_number', t.reference_number) AS trader,
  CASE WHEN p.id IS NOT NULL THEN json_build_object('id', p.id, 'name', p.display_name) END AS provider,
  app.iso(i.due_at) AS due_at, app.iso(i.created_at) AS created_at, app.iso(i.updated_at) AS updated_at) r
GROUP BY (position - 1) / 50 ORDER BY (position - 1) / 50;

-- For staff of three providers: a page, newest first.
WITH
page AS MATERIALIZED (
  SELECT id, "key_1", "key_2", row_number() OVER () AS position
  FROM (SELECT * FROM (SELECT i.id, "i"."created_at" AS "key_1", "i"."id" AS "key_2" FROM invoice i
      WHERE "i"."provider_id" = ANY ($1::uuid[]) AND EXISTS (SELECT FROM trader_provider seen WHERE seen.trader_id = "i"."trader_id"
        AND seen.provider_id = ANY ($2::uuid[])) AND NOT i.is_archived ORDER BY "i"."created_at" DESC, "i"."id" DESC LIMIT 50) reached
    OFFSET $3 LIMIT 50) found)
SELECT string_agg(row_to_json(r)::text, ',' ORDER BY position) AS part,
(SELECT count(*)::int FROM page) AS rows, (SELECT ARRAY[("key_1" AT TIME ZONE 'UTC')::text || '+00', "key_2"::text] FROM page ORDER BY position DESC LIMIT 1) AS last
FROM page
CROSS JOIN LATERAL (SELECT * FROM invoice i WHERE i.id = page.id OFFSET 0) i
CROSS JOIN LATERAL (SELECT * FROM trader t WHERE t.id = i.trader_id OFFSET 0) t
LEFT JOIN provider p ON p.id = i.provider_id
CROSS JOIN LATERAL (SELECT
  i.id, i.trader_id, trim_scale(i.amount_units * 0.000000000000000001)::text AS amount, trim_scale(ceil(i.amount_units * 0.000000000001) * 0.000001)::text AS asked_amount,
  trim_scale(i.paid_units * 0.000000000000000001)::text AS paid_amount,
  trim_scale(app.on_chain_units(i.paid_units, i.off_platform_units) * 0.000000000000000001)::text AS on_chain_amount, trim_scale(app.settled_elsewhere(i.status, i.settled_by, i.amount_units, i.paid_units, i.off_platform_units) * 0.000000000000000001)::text AS off_platform_amount,
  trim_scale(i.amount_units * CASE WHEN i.invoice_type = 'exchange_bot' THEN 0
    ELSE coalesce(p.payment_split_percentage, '0.70'::numeric) END * 0.000000000000000001)::text AS provider_share, i.payment_address,
  i.status = 'paid' AS is_paid, i.is_archived, (i.status = 'pending' AND NOT i.is_archived AND i.due_at < now()) AS is_overdue,
  EXISTS (SELECT FROM money_order_line l JOIN money_order o ON o.id = l.order_id
    WHERE l.subject_id = i.id AND o.state = 'awaiting_approval') AS is_awaiting_approval, i.status, i.invoice_type, i.community_id,
  i.exchange, json_build_object('id', t.id, 'name', t.name,
    'telegram_username', t.telegram_username, 'reference_number', t.reference_number) AS trader,
  CASE WHEN p.id IS NOT NULL THEN json_build_object('id', p.id, 'name', p.display_name) END AS provider,
  app.iso(i.due_at) AS due_at, app.iso(i.created_at) AS created_at, app.iso(i.updated_at) AS updated_at) r
GROUP BY (position - 1) / 50 ORDER BY (position - 1) / 50;

-- For a super admin: its sums, of one exchange.
SELECT total, trim_scale(coalesce(units, 0) * 0.000000000000000001)::text AS total_amount
FROM (SELECT coalesce(sum(i.invoices), 0)::int AS total, sum(i.amount_units) AS units FROM invoice_part i WHERE true AND i.exchange = $1 AND true AND NOT i.is_archived) s;

-- For staff of one provider: its sums, of one exchange.
SELECT total, trim_scale(coalesce(units, 0) * 0.000000000000000001)::text AS total_amount
FROM (SELECT coalesce(sum(i.invoices), 0)::int AS total, sum(i.amount_units) AS units FROM invoice_part i WHERE "i"."provider_id" = $1::uuid AND i.exchange = $2 AND EXISTS (SELECT FROM trader_provider seen WHERE seen.trader_id = "i"."trader_id"
    AND seen.provider_id = ANY ($3::uuid[])) AND NOT i.is_archived) s;

-- For staff of three providers: its sums, of one exchange.
SELECT total, trim_scale(coalesce(units, 0) * 0.000000000000000001)::text AS total_amount
FROM (SELECT coalesce(sum(i.invoices), 0)::int AS total, sum(i.amount_units) AS units FROM invoice_part i WHERE "i"."provider_id" = ANY ($1::uuid[]) AND i.exchange = $2 AND EXISTS (SELECT FROM trader_provider seen WHERE seen.trader_id = "i"."trader_id"
    AND seen.provider_id = ANY ($3::uuid[])) AND NOT i.is_archived) s;
