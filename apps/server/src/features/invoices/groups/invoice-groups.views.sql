-- Written by `npm run generate` from the views beside it. Do not edit.

-- For a super admin: a page of unpaid groups, newest first.
WITH unknown AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json)
  AS read (tab text, is_archived boolean, is_paid boolean, invoices int, traders int, pending int, cancelled int, part_paid int, overpaid int, amount_units numeric, paid_units numeric, on_chain_units numeric, off_platform_units numeric, share_units numeric, last_created timestamptz, last_updated timestamptz, due int, overdue int)
  WHERE tab IN ('unpaid')),
known AS ((SELECT * FROM (
      SELECT g.trader_id, g.is_archived, g.last_created, g.trader_id AS owner FROM invoice_group g
      WHERE g.is_whole AND g.tab = 'unpaid' AND
      g.reference IS NOT NULL AND true
    ) kept  ORDER BY "last_created" DESC, "owner" DESC LIMIT 50)),
page AS MATERIALIZED (
  SELECT trader_id, is_archived, "key_1", "key_2", row_number() OVER () AS position
  FROM (SELECT * FROM (SELECT g.trader_id, g.is_archived, "last_created" AS "key_1", "owner" AS "key_2" FROM (
        SELECT trader_id, is_archived, "last_created", "owner" FROM (TABLE known) k
        UNION ALL SELECT NULL, is_archived, "last_created" AS "last_created", coalesce(NULL::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') AS owner FROM unknown
      ) g
      ORDER BY "last_created" DESC, "owner" DESC LIMIT 50) reached
    OFFSET $2 LIMIT 50) found)
SELECT string_agg(row_to_json(r)::text, ',' ORDER BY position) AS part,
(SELECT count(*)::int FROM page) AS rows, (SELECT ARRAY[("key_1" AT TIME ZONE 'UTC')::text || '+00', "key_2"::text] FROM page ORDER BY position DESC LIMIT 1) AS last
FROM page
CROSS JOIN LATERAL (SELECT page.trader_id, page.is_archived) g
LEFT JOIN LATERAL (SELECT * FROM trader t WHERE t.id = g.trader_id OFFSET 0) t ON true
CROSS JOIN LATERAL (SELECT sums.*, open.* FROM (
    SELECT
    bool_and(i.status = 'paid') AS is_paid, sum(i.invoices)::int AS invoices,
    count(DISTINCT i.trader_id)::int AS traders, coalesce(sum(i.invoices) FILTER (WHERE i.status = 'pending'), 0)::int AS pending,
    coalesce(sum(i.invoices) FILTER (WHERE i.status = 'cancelled'), 0)::int AS cancelled, sum(i.part_paid)::int AS part_paid, sum(i.overpaid)::int AS overpaid,
    sum(i.amount_units) AS amount_units, sum(i.paid_units) AS paid_units, sum(i.on_chain_units) AS on_chain_units,
    sum(i.off_platform_units) AS off_platform_units,
    sum(i.amount_units * CASE WHEN i.invoice_type = 'exchange_bot' THEN 0
      ELSE coalesce(p.payment_split_percentage, '0.70'::numeric) END) AS share_units, max(i.last_created) AS last_created,
    max(i.last_updated) AS last_updated FROM invoice_part i LEFT JOIN provider p ON p.id = i.provider_id
    WHERE i.trader_id = g.trader_id AND i.is_archived = g.is_archived AND true AND true
    HAVING count(*) > 0) sums
  CROSS JOIN LATERAL (
    SELECT (count(*) FILTER (WHERE i.due_at >= now()))::int AS due,
    (count(*) FILTER (WHERE i.due_at < now()))::int AS overdue
    FROM invoice i
    WHERE i.status = 'pending' AND NOT i.is_archived AND i.trader_id = g.trader_id AND NOT g.is_archived AND true AND true) open
  UNION ALL SELECT is_paid, invoices, traders, pending, cancelled, part_paid, overpaid, amount_units, paid_units, on_chain_units, off_platform_units, share_units, last_created, last_updated, due, overdue FROM unknown u
  WHERE g.trader_id IS NULL AND u.is_archived = g.is_archived) s
CROSS JOIN LATERAL (SELECT coalesce(t.reference_number, 'unknown') AS reference_number,
  CASE WHEN t.id IS NOT NULL THEN json_build_object('id', t.id, 'name', t.name,
    'telegram_username', t.telegram_username, 'reference_number', t.reference_number) END AS trader,
  trim_scale(s.amount_units * 0.000000000000000001)::text AS total_amount, trim_scale(s.paid_units * 0.000000000000000001)::text AS paid_amount,
  trim_scale(s.on_chain_units * 0.000000000000000001)::text AS on_chain_amount, trim_scale(s.off_platform_units * 0.000000000000000001)::text AS off_platform_amount,
  trim_scale(s.share_units * 0.000000000000000001)::text AS provider_share, s.invoices AS invoice_count, s.traders AS trader_count,
  s.is_paid, g.is_archived, false AS is_part, s.pending AS pending_count, s.cancelled AS cancelled_count,
  s.due AS due_count, s.overdue AS overdue_count, s.part_paid AS part_paid_count, s.overpaid AS overpaid_count,
  app.iso(s.last_created) AS created_at, app.iso(s.last_updated) AS updated_at) r
GROUP BY (position - 1) / 50 ORDER BY (position - 1) / 50;

-- For staff of one provider: a page of unpaid groups, newest first.
WITH unknown AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json)
  AS read (tab text, is_archived boolean, is_paid boolean, invoices int, traders int, pending int, cancelled int, part_paid int, overpaid int, amount_units numeric, paid_units numeric, on_chain_units numeric, off_platform_units numeric, share_units numeric, last_created timestamptz, last_updated timestamptz, due int, overdue int)
  WHERE tab IN ('unpaid')),
known AS ((SELECT * FROM (
      SELECT g.trader_id, g.is_archived, g.last_created, g.trader_id AS owner FROM invoice_group g
      WHERE NOT g.is_whole AND g.provider_id = $2::uuid AND "g"."provider_id" = $3::uuid AND g.tab = 'unpaid' AND
      g.reference IS NOT NULL AND EXISTS (SELECT FROM trader_provider seen WHERE seen.trader_id = "g"."trader_id"
        AND seen.provider_id = ANY ($4::uuid[]))
    ) kept  ORDER BY "last_created" DESC, "owner" DESC LIMIT 50)),
page AS MATERIALIZED (
  SELECT trader_id, is_archived, "key_1", "key_2", row_number() OVER () AS position
  FROM (SELECT * FROM (SELECT g.trader_id, g.is_archived, "last_created" AS "key_1", "owner" AS "key_2" FROM (
        SELECT trader_id, is_archived, "last_created", "owner" FROM (TABLE known) k
        UNION ALL SELECT NULL, is_archived, "last_created" AS "last_created", coalesce(NULL::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') AS owner FROM unknown
      ) g
      ORDER BY "last_created" DESC, "owner" DESC LIMIT 50) reached
    OFFSET $5 LIMIT 50) found)
SELECT string_agg(row_to_json(r)::text, ',' ORDER BY position) AS part,
(SELECT count(*)::int FROM page) AS rows, (SELECT ARRAY[("key_1" AT TIME ZONE 'UTC')::text || '+00', "key_2"::text] FROM page ORDER BY position DESC LIMIT 1) AS last
FROM page
CROSS JOIN LATERAL (SELECT page.trader_id, page.is_archived) g
LEFT JOIN LATERAL (SELECT * FROM trader t WHERE t.id = g.trader_id OFFSET 0) t ON true
CROSS JOIN LATERAL (SELECT sums.*, open.* FROM (
    SELECT
    bool_and(i.status = 'paid') AS is_paid, sum(i.invoices)::int AS invoices,
    count(DISTINCT i.trader_id)::int AS traders, coalesce(sum(i.invoices) FILTER (WHERE i.status = 'pending'), 0)::int AS pending,
    coalesce(sum(i.invoices) FILTER (WHERE i.status = 'cancelled'), 0)::int AS cancelled, sum(i.part_paid)::int AS part_paid, sum(i.overpaid)::int AS overpaid,
    sum(i.amount_units) AS amount_units, sum(i.paid_units) AS paid_units, sum(i.on_chain_units) AS on_chain_units,
    sum(i.off_platform_units) AS off_platform_units,
    sum(i.amount_units * CASE WHEN i.invoice_type = 'exchange_bot' THEN 0
      ELSE coalesce(p.payment_split_percentage, '0.70'::numeric) END) AS share_units, max(i.last_created) AS last_created,
    max(i.last_updated) AS last_updated FROM invoice_part i LEFT JOIN provider p ON p.id = i.provider_id
    WHERE i.trader_id = g.trader_id AND i.is_archived = g.is_archived AND "i"."provider_id" = $6::uuid AND EXISTS (SELECT FROM trader_provider seen WHERE seen.trader_id = "i"."trader_id"
      AND seen.provider_id = ANY ($7::uuid[]))
    HAVING count(*) > 0) sums
  CROSS JOIN LATERAL (
    SELECT (count(*) FILTER (WHERE i.due_at >= now()))::int AS due,
    (count(*) FILTER (WHERE i.due_at < now()))::int AS overdue
    FROM invoice i
    WHERE i.status = 'pending' AND NOT i.is_archived AND i.trader_id = g.trader_id AND NOT g.is_archived AND "i"."provider_id" = $8::uuid AND EXISTS (SELECT FROM trader_provider seen WHERE seen.trader_id = "i"."trader_id"
      AND seen.provider_id = ANY ($9::uuid[]))) open
  UNION ALL SELECT is_paid, invoices, traders, pending, cancelled, part_paid, overpaid, amount_units, paid_units, on_chain_units, off_platform_units, share_units, last_created, last_updated, due, overdue FROM unknown u
  WHERE g.trader_id IS NULL AND u.is_archived = g.is_archived) s
CROSS JOIN LATERAL (SELECT coalesce(t.reference_number, 'unknown') AS reference_number,
  CASE WHEN t.id IS NOT NULL THEN json_build_object('id', t.id, 'name', t.name,
    'telegram_username', t.telegram_username, 'reference_number', t.reference_number) END AS trader,
  trim_scale(s.amount_units * 0.000000000000000001)::text AS total_amount, trim_scale(s.paid_units * 0.000000000000000001)::text AS paid_amount,
  trim_scale(s.on_chain_units * 0.000000000000000001)::text AS on_chain_amount, trim_scale(s.off_platform_units * 0.000000000000000001)::text AS off_platform_amount,
  trim_scale(s.share_units * 0.000000000000000001)::text AS provider_share, s.invoices AS invoice_count, s.traders AS trader_count,
  s.is_paid, g.is_archived, CASE WHEN g.trader_id IS NULL THEN EXISTS (
    SELECT FROM invoice_group w
    WHERE w.reference IS NULL AND w.is_archived = g.is_archived AND NOT w.is_whole AND "w"."provider_id" = $10::uuid
    GROUP BY w.trader_id HAVING sum(w.invoices) < max(w.whole_invoices))
  ELSE EXISTS (
    SELECT FROM invoice_group w
    WHERE w.trader_id = g.trader_id AND w.is_archived = g.is_archived AND NOT w.is_whole AND "w"."provider_id" = $11::uuid
    GROUP BY w.trader_id HAVING sum(w.invoices) < max(w.whole_invoices)) END AS is_part, s.pending AS pending_count, s.cancelled AS cancelled_count,
  s.due AS due_count, s.overdue AS overdue_count, s.part_paid AS part_paid_count, s.overpaid AS overpaid_count,
  app.iso(s.last_created) AS created_at, app.iso(s.last_updated) AS updated_at) r
GROUP BY (position - 1) / 50 ORDER BY (position - 1) / 50;

-- For staff of three providers: a page of unpaid groups, newest first.
WITH unknown AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json)
  AS read (tab text, is_archived boolean, is_paid boolean, invoices int, traders int, pending int, cancelled int, part_paid int, overpaid int, amount_units numeric, paid_units numeric, on_chain_units numeric, off_platform_units numeric, share_units numeric, last_created timestamptz, last_updated timestamptz, due int, overdue int)
  WHERE tab IN ('unpaid')),
known AS ((SELECT * FROM (
      SELECT g.trader_id, g.is_archived, g.last_created, g.trader_id AS owner FROM invoice_group g
      WHERE NOT g.is_shared AND NOT g.is_whole AND g.provider_id = $2::uuid AND "g"."provider_id" = ANY ($3::uuid[]) AND g.tab = 'unpaid' AND
      g.reference IS NOT NULL AND EXISTS (SELECT FROM trader_provider seen WHERE seen.trader_id = "g"."trader_id"
        AND seen.provider_id = ANY ($4::uuid[]))
    ) kept  ORDER BY "last_created" DESC, "owner" DESC LIMIT 50) UNION ALL (SELECT * FROM (
      SELECT g.trader_id, g.is_archived, g.last_created, g.trader_id AS owner FROM invoice_group g
      WHERE NOT g.is_shared AND NOT g.is_whole AND g.provider_id = $5::uuid AND "g"."provider_id" = ANY ($6::uuid[]) AND g.tab = 'unpaid' AND
      g.reference IS NOT NULL AND EXISTS (SELECT FROM trader_provider seen WHERE seen.trader_id = "g"."trader_id"
        AND seen.provider_id = ANY ($7::uuid[]))
    ) kept  ORDER BY "last_created" DESC, "owner" DESC LIMIT 50) UNION ALL (SELECT * FROM (
      SELECT g.trader_id, g.is_archived, g.last_created, g.trader_id AS owner FROM invoice_group g
      WHERE NOT g.is_shared AND NOT g.is_whole AND g.provider_id = $8::uuid AND "g"."provider_id" = ANY ($9::uuid[]) AND g.tab = 'unpaid' AND
      g.reference IS NOT NULL AND EXISTS (SELECT FROM trader_provider seen WHERE seen.trader_id = "g"."trader_id"
        AND seen.provider_id = ANY ($10::uuid[]))
    ) kept  ORDER BY "last_created" DESC, "owner" DESC LIMIT 50) UNION ALL (SELECT * FROM (SELECT g.trader_id, g.is_archived, max(g.last_created) AS "last_created", coalesce(g.trader_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff') AS owner FROM invoice_group g
      WHERE g.is_shared AND NOT g.is_whole AND g.provider_id = ANY ($11::uuid[]) AND "g"."provider_id" = ANY ($12::uuid[]) AND
      g.reference IS NOT NULL AND EXISTS (SELECT FROM trader_provider seen WHERE seen.trader_id = "g"."trader_id"
        AND seen.provider_id = ANY ($13::uuid[]))
      GROUP BY g.trader_id, g.is_archived HAVING NOT g.is_archived AND sum(g.pending) > 0) kept  ORDER BY "last_created" DESC, "owner" DESC LIMIT 50)),
page AS MATERIALIZED (
  SELECT trader_id, is_archived, "key_1", "key_2", row_number() OVER () AS position
  FROM (SELECT * FROM (SELECT g.trader_id, g.is_archived, "last_created" AS "key_1", "owner" AS "key_2" FROM (
        SELECT trader_id, is_archived, "last_created", "owner" FROM (TABLE known) k
        UNION ALL SELECT NULL, is_archived, "last_created" AS "last_created", coalesce(NULL::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') AS owner FROM unknown
      ) g
      ORDER BY "last_created" DESC, "owner" DESC LIMIT 50) reached
    OFFSET $14 LIMIT 50) found)
SELECT string_agg(row_to_json(r)::text, ',' ORDER BY position) AS part,
(SELECT count(*)::int FROM page) AS rows, (SELECT ARRAY[("key_1" AT TIME ZONE 'UTC')::text || '+00', "key_2"::text] FROM page ORDER BY position DESC LIMIT 1) AS last
FROM page
CROSS JOIN LATERAL (SELECT page.trader_id, page.is_archived) g
LEFT JOIN LATERAL (SELECT * FROM trader t WHERE t.id = g.trader_id OFFSET 0) t ON true
CROSS JOIN LATERAL (SELECT sums.*, open.* FROM (
    SELECT
    bool_and(i.status = 'paid') AS is_paid, sum(i.invoices)::int AS invoices,
    count(DISTINCT i.trader_id)::int AS traders, coalesce(sum(i.invoices) FILTER (WHERE i.status = 'pending'), 0)::int AS pending,
    coalesce(sum(i.invoices) FILTER (WHERE i.status = 'cancelled'), 0)::int AS cancelled, sum(i.part_paid)::int AS part_paid, sum(i.overpaid)::int AS overpaid,
    sum(i.amount_units) AS amount_units, sum(i.paid_units) AS paid_units, sum(i.on_chain_units) AS on_chain_units,
    sum(i.off_platform_units) AS off_platform_units,
    sum(i.amount_units * CASE WHEN i.invoice_type = 'exchange_bot' THEN 0
      ELSE coalesce(p.payment_split_percentage, '0.70'::numeric) END) AS share_units, max(i.last_created) AS last_created,
    max(i.last_updated) AS last_updated FROM invoice_part i LEFT JOIN provider p ON p.id = i.provider_id
    WHERE i.trader_id = g.trader_id AND i.is_archived = g.is_archived AND "i"."provider_id" = ANY ($15::uuid[]) AND EXISTS (SELECT FROM trader_provider seen WHERE seen.trader_id = "i"."trader_id"
      AND seen.provider_id = ANY ($16::uuid[]))
    HAVING count(*) > 0) sums
  CROSS JOIN LATERAL (
    SELECT (count(*) FILTER (WHERE i.due_at >= now()))::int AS due,
    (count(*) FILTER (WHERE i.due_at < now()))::int AS overdue
    FROM invoice i
    WHERE i.status = 'pending' AND NOT i.is_archived AND i.trader_id = g.trader_id AND NOT g.is_archived AND "i"."provider_id" = ANY ($17::uuid[]) AND EXISTS (SELECT FROM trader_provider seen WHERE seen.trader_id = "i"."trader_id"
      AND seen.provider_id = ANY ($18::uuid[]))) open
  UNION ALL SELECT is_paid, invoices, traders, pending, cancelled, part_paid, overpaid, amount_units, paid_units, on_chain_units, off_platform_units, share_units, last_created, last_updated, due, overdue FROM unknown u
  WHERE g.trader_id IS NULL AND u.is_archived = g.is_archived) s
CROSS JOIN LATERAL (SELECT coalesce(t.reference_number, 'unknown') AS reference_number,
  CASE WHEN t.id IS NOT NULL THEN json_build_object('id', t.id, 'name', t.name,
    'telegram_username', t.telegram_username, 'reference_number', t.reference_number) END AS trader,
  trim_scale(s.amount_units * 0.000000000000000001)::text AS total_amount, trim_scale(s.paid_units * 0.000000000000000001)::text AS paid_amount,
  trim_scale(s.on_chain_units * 0.000000000000000001)::text AS on_chain_amount, trim_scale(s.off_platform_units * 0.000000000000000001)::text AS off_platform_amount,
  trim_scale(s.share_units * 0.000000000000000001)::text AS provider_share, s.invoices AS invoice_count, s.traders AS trader_count,
  s.is_paid, g.is_archived, CASE WHEN g.trader_id IS NULL THEN EXISTS (
    SELECT FROM invoice_group w
    WHERE w.reference IS NULL AND w.is_archived = g.is_archived AND NOT w.is_whole AND "w"."provider_id" = ANY ($19::uuid[])
    GROUP BY w.trader_id HAVING sum(w.invoices) < max(w.whole_invoices))
  ELSE EXISTS (
    SELECT FROM invoice_group w
    WHERE w.trader_id = g.trader_id AND w.is_archived = g.is_archived AND NOT w.is_whole AND "w"."provider_id" = ANY ($20::uuid[])
    GROUP BY w.trader_id HAVING sum(w.invoices) < max(w.whole_invoices)) END AS is_part, s.pending AS pending_count, s.cancelled AS cancelled_count,
  s.due AS due_count, s.overdue AS overdue_count, s.part_paid AS part_paid_count, s.overpaid AS overpaid_count,
  app.iso(s.last_created) AS created_at, app.iso(s.last_updated) AS updated_at) r
GROUP BY (position - 1) / 50 ORDER BY (position - 1) / 50;

-- For a super admin: a page of groups since a day.
WITH unknown AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json)
  AS read (tab text, is_archived boolean, is_paid boolean, invoices int, traders int, pending int, cancelled int, part_paid int, overpaid int, amount_units numeric, paid_units numeric, on_chain_units numeric, off_platform_units numeric, share_units numeric, last_created timestamptz, last_updated timestamptz, due int, overdue int)
  WHERE tab IN ('unpaid', 'paid', 'other')),
known AS (
  WITH newest AS MATERIALIZED (
    SELECT i.trader_id, i.is_archived, i.created_at AS key FROM invoice i
    WHERE true AND i.created_at >= $2::timestamptz AND true AND NOT i.is_archived ORDER BY i.created_at DESC LIMIT 500),
  -- Rows with the time of the last row may continue beyond it.
  edge AS (SELECT CASE WHEN count(*) = 500 THEN min(key) ELSE '-infinity' END AS key FROM newest),
  groups AS MATERIALIZED (
    SELECT trader_id, is_archived, key FROM (
      SELECT trader_id, is_archived, max(key) AS key FROM newest GROUP BY trader_id, is_archived) one
    WHERE key > (SELECT key FROM edge) AND NOT EXISTS (SELECT u.trader_id FROM invoice_part u
      WHERE u.reference IS NULL AND true AND u.trader_id = one.trader_id OFFSET 0) AND true )
  SELECT trader_id, is_archived, key AS "last_created", coalesce(trader_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff') AS owner FROM groups
  WHERE (SELECT key FROM edge) = '-infinity'
  OR (SELECT count(*) FROM groups) >= 100
  OR (SELECT count(*) FROM groups) >= $3::int),
page AS MATERIALIZED (
  SELECT trader_id, is_archived, "key_1", "key_2", row_number() OVER () AS position
  FROM (SELECT * FROM (SELECT g.trader_id, g.is_archived, "last_created" AS "key_1", "owner" AS "key_2" FROM (
        SELECT trader_id, is_archived, "last_created", "owner" FROM (TABLE known) k
        UNION ALL SELECT NULL, is_archived, "last_created" AS "last_created", coalesce(NULL::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') AS owner FROM unknown
        WHERE EXISTS (SELECT FROM known)) g
      ORDER BY "last_created" DESC, "owner" DESC LIMIT 50) reached
    OFFSET $4 LIMIT 50) found)
SELECT string_agg(row_to_json(r)::text, ',' ORDER BY position) AS part,
(SELECT count(*)::int FROM page) AS rows, (SELECT ARRAY[("key_1" AT TIME ZONE 'UTC')::text || '+00', "key_2"::text] FROM page ORDER BY position DESC LIMIT 1) AS last
FROM page
CROSS JOIN LATERAL (SELECT page.trader_id, page.is_archived) g
LEFT JOIN LATERAL (SELECT * FROM trader t WHERE t.id = g.trader_id OFFSET 0) t ON true
CROSS JOIN LATERAL (SELECT sums.*, open.* FROM (
    SELECT
    bool_and(i.status = 'paid') AS is_paid, sum(1)::int AS invoices,
    count(DISTINCT i.trader_id)::int AS traders, coalesce(sum(1) FILTER (WHERE i.status = 'pending'), 0)::int AS pending,
    coalesce(sum(1) FILTER (WHERE i.status = 'cancelled'), 0)::int AS cancelled, sum((i.status = 'pending' AND i.paid_units > 0 AND i.paid_units < i.amount_units)::int)::int AS part_paid, sum(app.is_overpaid(i.amount_units, i.paid_units)::int)::int AS overpaid,
    sum(i.amount_units) AS amount_units, sum(i.paid_units) AS paid_units, sum(app.on_chain_units(i.paid_units, i.off_platform_units)) AS on_chain_units,
    sum(app.settled_elsewhere(i.status, i.settled_by, i.amount_units, i.paid_units, i.off_platform_units)) AS off_platform_units,
    sum(i.amount_units * CASE WHEN i.invoice_type = 'exchange_bot' THEN 0
      ELSE coalesce(p.payment_split_percentage, '0.70'::numeric) END) AS share_units, max(i.created_at) AS last_created,
    max(i.updated_at) AS last_updated FROM invoice i LEFT JOIN provider p ON p.id = i.provider_id
    WHERE i.trader_id = g.trader_id AND i.is_archived = g.is_archived AND true AND i.created_at >= $5::timestamptz AND true
    HAVING count(*) > 0) sums
  CROSS JOIN LATERAL (
    SELECT (count(*) FILTER (WHERE i.due_at >= now()))::int AS due,
    (count(*) FILTER (WHERE i.due_at < now()))::int AS overdue
    FROM invoice i
    WHERE i.status = 'pending' AND NOT i.is_archived AND i.trader_id = g.trader_id AND NOT g.is_archived AND true AND i.created_at >= $6::timestamptz AND true) open
  UNION ALL SELECT is_paid, invoices, traders, pending, cancelled, part_paid, overpaid, amount_units, paid_units, on_chain_units, off_platform_units, share_units, last_created, last_updated, due, overdue FROM unknown u
  WHERE g.trader_id IS NULL AND u.is_archived = g.is_archived) s
CROSS JOIN LATERAL (SELECT coalesce(t.reference_number, 'unknown') AS reference_number,
  CASE WHEN t.id IS NOT NULL THEN json_build_object('id', t.id, 'name', t.name,
    'telegram_username', t.telegram_username, 'reference_number', t.reference_number) END AS trader,
  trim_scale(s.amount_units * 0.000000000000000001)::text AS total_amount, trim_scale(s.paid_units * 0.000000000000000001)::text AS paid_amount,
  trim_scale(s.on_chain_units * 0.000000000000000001)::text AS on_chain_amount, trim_scale(s.off_platform_units * 0.000000000000000001)::text AS off_platform_amount,
  trim_scale(s.share_units * 0.000000000000000001)::text AS provider_share, s.invoices AS invoice_count, s.traders AS trader_count,
  s.is_paid, g.is_archived, false AS is_part, s.pending AS pending_count, s.cancelled AS cancelled_count,
  s.due AS due_count, s.overdue AS overdue_count, s.part_paid AS part_paid_count, s.overpaid AS overpaid_count,
  app.iso(s.last_created) AS created_at, app.iso(s.last_updated) AS updated_at) r
GROUP BY (position - 1) / 50 ORDER BY (position - 1) / 50;

-- For staff of one provider: a page of groups since a day.
WITH unknown AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json)
  AS read (tab text, is_archived boolean, is_paid boolean, invoices int, traders int, pending int, cancelled int, part_paid int, overpaid int, amount_units numeric, paid_units numeric, on_chain_units numeric, off_platform_units numeric, share_units numeric, last_created timestamptz, last_updated timestamptz, due int, overdue int)
  WHERE tab IN ('unpaid', 'paid', 'other')),
known AS (
  WITH newest AS MATERIALIZED (
    SELECT i.trader_id, i.is_archived, i.created_at AS key FROM invoice i
    WHERE "i"."provider_id" = $2::uuid AND i.created_at >= $3::timestamptz AND true AND NOT i.is_archived ORDER BY i.created_at DESC LIMIT 500),
  -- Rows with the time of the last row may continue beyond it.
  edge AS (SELECT CASE WHEN count(*) = 500 THEN min(key) ELSE '-infinity' END AS key FROM newest),
  groups AS MATERIALIZED (
    SELECT trader_id, is_archived, key FROM (
      SELECT trader_id, is_archived, max(key) AS key FROM newest GROUP BY trader_id, is_archived) one
    WHERE key > (SELECT key FROM edge) AND NOT EXISTS (SELECT u.trader_id FROM invoice_part u
      WHERE u.reference IS NULL AND "u"."provider_id" = $4::uuid AND u.trader_id = one.trader_id OFFSET 0) AND EXISTS (SELECT FROM trader_provider seen WHERE seen.trader_id = "one"."trader_id"
      AND seen.provider_id = ANY ($5::uuid[])) )
  SELECT trader_id, is_archived, key AS "last_created", coalesce(trader_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff') AS owner FROM groups
  WHERE (SELECT key FROM edge) = '-infinity'
  OR (SELECT count(*) FROM groups) >= 100
  OR (SELECT count(*) FROM groups) >= $6::int),
page AS MATERIALIZED (
  SELECT trader_id, is_archived, "key_1", "key_2", row_number() OVER () AS position
  FROM (SELECT * FROM (SELECT g.trader_id, g.is_archived, "last_created" AS "key_1", "owner" AS "key_2" FROM (
        SELECT trader_id, is_archived, "last_created", "owner" FROM (TABLE known) k
        UNION ALL SELECT NULL, is_archived, "last_created" AS "last_created", coalesce(NULL::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') AS owner FROM unknown
        WHERE EXISTS (SELECT FROM known)) g
      ORDER BY "last_created" DESC, "owner" DESC LIMIT 50) reached
    OFFSET $7 LIMIT 50) found)
SELECT string_agg(row_to_json(r)::text, ',' ORDER BY position) AS part,
(SELECT count(*)::int FROM page) AS rows, (SELECT ARRAY[("key_1" AT TIME ZONE 'UTC')::text || '+00', "key_2"::text] FROM page ORDER BY position DESC LIMIT 1) AS last
FROM page
CROSS JOIN LATERAL (SELECT page.trader_id, page.is_archived) g
LEFT JOIN LATERAL (SELECT * FROM trader t WHERE t.id = g.trader_id OFFSET 0) t ON true
CROSS JOIN LATERAL (SELECT sums.*, open.* FROM (
    SELECT
    bool_and(i.status = 'paid') AS is_paid, sum(1)::int AS invoices,
    count(DISTINCT i.trader_id)::int AS traders, coalesce(sum(1) FILTER (WHERE i.status = 'pending'), 0)::int AS pending,
    coalesce(sum(1) FILTER (WHERE i.status = 'cancelled'), 0)::int AS cancelled, sum((i.status = 'pending' AND i.paid_units > 0 AND i.paid_units < i.amount_units)::int)::int AS part_paid, sum(app.is_overpaid(i.amount_units, i.paid_units)::int)::int AS overpaid,
    sum(i.amount_units) AS amount_units, sum(i.paid_units) AS paid_units, sum(app.on_chain_units(i.paid_units, i.off_platform_units)) AS on_chain_units,
    sum(app.settled_elsewhere(i.status, i.settled_by, i.amount_units, i.paid_units, i.off_platform_units)) AS off_platform_units,
    sum(i.amount_units * CASE WHEN i.invoice_type = 'exchange_bot' THEN 0
      ELSE coalesce(p.payment_split_percentage, '0.70'::numeric) END) AS share_units, max(i.created_at) AS last_created,
    max(i.updated_at) AS last_updated FROM invoice i LEFT JOIN provider p ON p.id = i.provider_id
    WHERE i.trader_id = g.trader_id AND i.is_archived = g.is_archived AND "i"."provider_id" = $8::uuid AND i.created_at >= $9::timestamptz AND EXISTS (SELECT FROM trader_provider seen WHERE seen.trader_id = "i"."trader_id"
      AND seen.provider_id = ANY ($10::uuid[]))
    HAVING count(*) > 0) sums
  CROSS JOIN LATERAL (
    SELECT (count(*) FILTER (WHERE i.due_at >= now()))::int AS due,
    (count(*) FILTER (WHERE i.due_at < now()))::int AS overdue
    FROM invoice i
    WHERE i.status = 'pending' AND NOT i.is_archived AND i.trader_id = g.trader_id AND NOT g.is_archived AND "i"."provider_id" = $11::uuid AND i.created_at >= $12::timestamptz AND EXISTS (SELECT FROM trader_provider seen WHERE seen.trader_id = "i"."trader_id"
      AND seen.provider_id = ANY ($13::uuid[]))) open
  UNION ALL SELECT is_paid, invoices, traders, pending, cancelled, part_paid, overpaid, amount_units, paid_units, on_chain_units, off_platform_units, share_units, last_created, last_updated, due, overdue FROM unknown u
  WHERE g.trader_id IS NULL AND u.is_archived = g.is_archived) s
CROSS JOIN LATERAL (SELECT coalesce(t.reference_number, 'unknown') AS reference_number,
  CASE WHEN t.id IS NOT NULL THEN json_build_object('id', t.id, 'name', t.name,
    'telegram_username', t.telegram_username, 'reference_number', t.reference_number) END AS trader,
  trim_scale(s.amount_units * 0.000000000000000001)::text AS total_amount, trim_scale(s.paid_units * 0.000000000000000001)::text AS paid_amount,
  trim_scale(s.on_chain_units * 0.000000000000000001)::text AS on_chain_amount, trim_scale(s.off_platform_units * 0.000000000000000001)::text AS off_platform_amount,
  trim_scale(s.share_units * 0.000000000000000001)::text AS provider_share, s.invoices AS invoice_count, s.traders AS trader_count,
  s.is_paid, g.is_archived, CASE WHEN g.trader_id IS NULL THEN EXISTS (
    SELECT FROM invoice_group w
    WHERE w.reference IS NULL AND w.is_archived = g.is_archived AND NOT w.is_whole AND "w"."provider_id" = $14::uuid
    GROUP BY w.trader_id HAVING sum(w.invoices) < max(w.whole_invoices))
  ELSE EXISTS (
    SELECT FROM invoice_group w
    WHERE w.trader_id = g.trader_id AND w.is_archived = g.is_archived AND NOT w.is_whole AND "w"."provider_id" = $15::uuid
    GROUP BY w.trader_id HAVING sum(w.invoices) < max(w.whole_invoices)) END AS is_part, s.pending AS pending_count, s.cancelled AS cancelled_count,
  s.due AS due_count, s.overdue AS overdue_count, s.part_paid AS part_paid_count, s.overpaid AS overpaid_count,
  app.iso(s.last_created) AS created_at, app.iso(s.last_updated) AS updated_at) r
GROUP BY (position - 1) / 50 ORDER BY (position - 1) / 50;

-- For staff of three providers: a page of groups since a day.
WITH unknown AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json)
  AS read (tab text, is_archived boolean, is_paid boolean, invoices int, traders int, pending int, cancelled int, part_paid int, overpaid int, amount_units numeric, paid_units numeric, on_chain_units numeric, off_platform_units numeric, share_units numeric, last_created timestamptz, last_updated timestamptz, due int, overdue int)
  WHERE tab IN ('unpaid', 'paid', 'other')),
known AS (
  WITH newest AS MATERIALIZED (
    SELECT i.trader_id, i.is_archived, i.created_at AS key FROM invoice i
    WHERE "i"."provider_id" = ANY ($2::uuid[]) AND i.created_at >= $3::timestamptz AND true AND NOT i.is_archived ORDER BY i.created_at DESC LIMIT 500),
  -- Rows with the time of the last row may continue beyond it.
  edge AS (SELECT CASE WHEN count(*) = 500 THEN min(key) ELSE '-infinity' END AS key FROM newest),
  groups AS MATERIALIZED (
    SELECT trader_id, is_archived, key FROM (
      SELECT trader_id, is_archived, max(key) AS key FROM newest GROUP BY trader_id, is_archived) one
    WHERE key > (SELECT key FROM edge) AND NOT EXISTS (SELECT u.trader_id FROM invoice_part u
      WHERE u.reference IS NULL AND "u"."provider_id" = ANY ($4::uuid[]) AND u.trader_id = one.trader_id OFFSET 0) AND EXISTS (SELECT FROM trader_provider seen WHERE seen.trader_id = "one"."trader_id"
      AND seen.provider_id = ANY ($5::uuid[])) )
  SELECT trader_id, is_archived, key AS "last_created", coalesce(trader_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff') AS owner FROM groups
  WHERE (SELECT key FROM edge) = '-infinity'
  OR (SELECT count(*) FROM groups) >= 100
  OR (SELECT count(*) FROM groups) >= $6::int),
page AS MATERIALIZED (
  SELECT trader_id, is_archived, "key_1", "key_2", row_number() OVER () AS position
  FROM (SELECT * FROM (SELECT g.trader_id, g.is_archived, "last_created" AS "key_1", "owner" AS "key_2" FROM (
        SELECT trader_id, is_archived, "last_created", "owner" FROM (TABLE known) k
        UNION ALL SELECT NULL, is_archived, "last_created" AS "last_created", coalesce(NULL::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') AS owner FROM unknown
        WHERE EXISTS (SELECT FROM known)) g
      ORDER BY "last_created" DESC, "owner" DESC LIMIT 50) reached
    OFFSET $7 LIMIT 50) found)
SELECT string_agg(row_to_json(r)::text, ',' ORDER BY position) AS part,
(SELECT count(*)::int FROM page) AS rows, (SELECT ARRAY[("key_1" AT TIME ZONE 'UTC')::text || '+00', "key_2"::text] FROM page ORDER BY position DESC LIMIT 1) AS last
FROM page
CROSS JOIN LATERAL (SELECT page.trader_id, page.is_archived) g
LEFT JOIN LATERAL (SELECT * FROM trader t WHERE t.id = g.trader_id OFFSET 0) t ON true
CROSS JOIN LATERAL (SELECT sums.*, open.* FROM (
    SELECT
    bool_and(i.status = 'paid') AS is_paid, sum(1)::int AS invoices,
    count(DISTINCT i.trader_id)::int AS traders, coalesce(sum(1) FILTER (WHERE i.status = 'pending'), 0)::int AS pending,
    coalesce(sum(1) FILTER (WHERE i.status = 'cancelled'), 0)::int AS cancelled, sum((i.status = 'pending' AND i.paid_units > 0 AND i.paid_units < i.amount_units)::int)::int AS part_paid, sum(app.is_overpaid(i.amount_units, i.paid_units)::int)::int AS overpaid,
    sum(i.amount_units) AS amount_units, sum(i.paid_units) AS paid_units, sum(app.on_chain_units(i.paid_units, i.off_platform_units)) AS on_chain_units,
    sum(app.settled_elsewhere(i.status, i.settled_by, i.amount_units, i.paid_units, i.off_platform_units)) AS off_platform_units,
    sum(i.amount_units * CASE WHEN i.invoice_type = 'exchange_bot' THEN 0
      ELSE coalesce(p.payment_split_percentage, '0.70'::numeric) END) AS share_units, max(i.created_at) AS last_created,
    max(i.updated_at) AS last_updated FROM invoice i LEFT JOIN provider p ON p.id = i.provider_id
    WHERE i.trader_id = g.trader_id AND i.is_archived = g.is_archived AND "i"."provider_id" = ANY ($8::uuid[]) AND i.created_at >= $9::timestamptz AND EXISTS (SELECT FROM trader_provider seen WHERE seen.trader_id = "i"."trader_id"
      AND seen.provider_id = ANY ($10::uuid[]))
    HAVING count(*) > 0) sums
  CROSS JOIN LATERAL (
    SELECT (count(*) FILTER (WHERE i.due_at >= now()))::int AS due,
    (count(*) FILTER (WHERE i.due_at < now()))::int AS overdue
    FROM invoice i
    WHERE i.status = 'pending' AND NOT i.is_archived AND i.trader_id = g.trader_id AND NOT g.is_archived AND "i"."provider_id" = ANY ($11::uuid[]) AND i.created_at >= $12::timestamptz AND EXISTS (SELECT FROM trader_provider seen WHERE seen.trader_id = "i"."trader_id"
      AND seen.provider_id = ANY ($13::uuid[]))) open
  UNION ALL SELECT is_paid, invoices, traders, pending, cancelled, part_paid, overpaid, amount_units, paid_units, on_chain_units, off_platform_units, share_units, last_created, last_updated, due, overdue FROM unknown u
  WHERE g.trader_id IS NULL AND u.is_archived = g.is_archived) s
CROSS JOIN LATERAL (SELECT coalesce(t.reference_number, 'unknown') AS reference_number,
  CASE WHEN t.id IS NOT NULL THEN json_build_object('id', t.id, 'name', t.name,
    'telegram_username', t.telegram_username, 'reference_number', t.reference_number) END AS trader,
  trim_scale(s.amount_units * 0.000000000000000001)::text AS total_amount, trim_scale(s.paid_units * 0.000000000000000001)::text AS paid_amount,
  trim_scale(s.on_chain_units * 0.000000000000000001)::text AS on_chain_amount, trim_scale(s.off_platform_units * 0.000000000000000001)::text AS off_platform_amount,
  trim_scale(s.share_units * 0.000000000000000001)::text AS provider_share, s.invoices AS invoice_count, s.traders AS trader_count,
  s.is_paid, g.is_archived, CASE WHEN g.trader_id IS NULL THEN EXISTS (
    SELECT FROM invoice_group w
    WHERE w.reference IS NULL AND w.is_archived = g.is_archived AND NOT w.is_whole AND "w"."provider_id" = ANY ($14::uuid[])
    GROUP BY w.trader_id HAVING sum(w.invoices) < max(w.whole_invoices))
  ELSE EXISTS (
    SELECT FROM invoice_group w
    WHERE w.trader_id = g.trader_id AND w.is_archived = g.is_archived AND NOT w.is_whole AND "w"."provider_id" = ANY ($15::uuid[])
    GROUP BY w.trader_id HAVING sum(w.invoices) < max(w.whole_invoices)) END AS is_part, s.pending AS pending_count, s.cancelled AS cancelled_count,
  s.due AS due_count, s.overdue AS overdue_count, s.part_paid AS part_paid_count, s.overpaid AS overpaid_count,
  app.iso(s.last_created) AS created_at, app.iso(s.last_updated) AS updated_at) r
GROUP BY (position - 1) / 50 ORDER BY (position - 1) / 50;

-- For a super admin: the order of groups since a day by amount.
WITH unknown AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json)
  AS read (tab text, is_archived boolean, is_paid boolean, invoices int, traders int, pending int, cancelled int, part_paid int, overpaid int, amount_units numeric, paid_units numeric, on_chain_units numeric, off_platform_units numeric, share_units numeric, last_created timestamptz, last_updated timestamptz, due int, overdue int)
  WHERE tab IN ('unpaid', 'paid', 'other'))
SELECT string_agg(uuid_send(owner), ''::bytea ORDER BY "amount_rank" DESC, "amount_units" DESC, "owner" DESC) AS owners
FROM (SELECT trader_id, is_archived, "amount_rank", "amount_units", "owner" FROM (SELECT one.trader_id, false AS is_archived,
    (one.key)::float8 AS amount_rank, one.key AS amount_units, coalesce(one.trader_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff') AS owner
    FROM (
      SELECT i.trader_id, sum(i.amount_units) AS key FROM invoice i
      WHERE true AND i.created_at >= $2::timestamptz AND true AND NOT i.is_archived
      GROUP BY i.trader_id  OFFSET 0) one
    WHERE trader_id NOT IN (SELECT u.trader_id FROM invoice_part u
      WHERE u.reference IS NULL AND true) AND true) k
  UNION ALL SELECT NULL, is_archived, ("amount_units")::float8 AS amount_rank, "amount_units" AS amount_units, coalesce(NULL::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') AS owner FROM unknown) g;

-- For staff of one provider: the order of groups since a day by amount.
WITH unknown AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json)
  AS read (tab text, is_archived boolean, is_paid boolean, invoices int, traders int, pending int, cancelled int, part_paid int, overpaid int, amount_units numeric, paid_units numeric, on_chain_units numeric, off_platform_units numeric, share_units numeric, last_created timestamptz, last_updated timestamptz, due int, overdue int)
  WHERE tab IN ('unpaid', 'paid', 'other'))
SELECT string_agg(uuid_send(owner), ''::bytea ORDER BY "amount_rank" DESC, "amount_units" DESC, "owner" DESC) AS owners
FROM (SELECT trader_id, is_archived, "amount_rank", "amount_units", "owner" FROM (SELECT one.trader_id, false AS is_archived,
    (one.key)::float8 AS amount_rank, one.key AS amount_units, coalesce(one.trader_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff') AS owner
    FROM (
      SELECT i.trader_id, sum(i.amount_units) AS key FROM invoice i
      WHERE "i"."provider_id" = $2::uuid AND i.created_at >= $3::timestamptz AND true AND NOT i.is_archived
      GROUP BY i.trader_id  OFFSET 0) one
    WHERE trader_id NOT IN (SELECT u.trader_id FROM invoice_part u
      WHERE u.reference IS NULL AND "u"."provider_id" = $4::uuid) AND EXISTS (SELECT FROM trader_provider seen WHERE seen.trader_id = "one"."trader_id"
      AND seen.provider_id = ANY ($5::uuid[]))) k
  UNION ALL SELECT NULL, is_archived, ("amount_units")::float8 AS amount_rank, "amount_units" AS amount_units, coalesce(NULL::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') AS owner FROM unknown) g;

-- For staff of three providers: the order of groups since a day by amount.
WITH unknown AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json)
  AS read (tab text, is_archived boolean, is_paid boolean, invoices int, traders int, pending int, cancelled int, part_paid int, overpaid int, amount_units numeric, paid_units numeric, on_chain_units numeric, off_platform_units numeric, share_units numeric, last_created timestamptz, last_updated timestamptz, due int, overdue int)
  WHERE tab IN ('unpaid', 'paid', 'other'))
SELECT string_agg(uuid_send(owner), ''::bytea ORDER BY "amount_rank" DESC, "amount_units" DESC, "owner" DESC) AS owners
FROM (SELECT trader_id, is_archived, "amount_rank", "amount_units", "owner" FROM (SELECT one.trader_id, false AS is_archived,
    (one.key)::float8 AS amount_rank, one.key AS amount_units, coalesce(one.trader_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff') AS owner
    FROM (
      SELECT i.trader_id, sum(i.amount_units) AS key FROM invoice i
      WHERE "i"."provider_id" = ANY ($2::uuid[]) AND i.created_at >= $3::timestamptz AND true AND NOT i.is_archived
      GROUP BY i.trader_id  OFFSET 0) one
    WHERE trader_id NOT IN (SELECT u.trader_id FROM invoice_part u
      WHERE u.reference IS NULL AND "u"."provider_id" = ANY ($4::uuid[])) AND EXISTS (SELECT FROM trader_provider seen WHERE seen.trader_id = "one"."trader_id"
      AND seen.provider_id = ANY ($5::uuid[]))) k
  UNION ALL SELECT NULL, is_archived, ("amount_units")::float8 AS amount_rank, "amount_units" AS amount_units, coalesce(NULL::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') AS owner FROM unknown) g;

-- For a super admin: counts of groups since a day.
SELECT (count(*) FILTER (WHERE NOT is_archived AND is_any AND is_pending))::int AS unpaid,
(count(*) FILTER (WHERE NOT is_archived AND is_any AND is_unpaid IS NOT TRUE))::int AS paid,
(count(*) FILTER (WHERE NOT is_archived AND is_any AND is_unpaid AND is_pending IS NOT TRUE))::int AS other,
(count(*) FILTER (WHERE is_archived AND is_any))::int AS archived
FROM (
  SELECT g.is_archived, "g"."last_created" >= $1::timestamptz AS is_any, "g"."pending_last_created" >= $2::timestamptz AS is_pending, "g"."unpaid_last_created" >= $3::timestamptz AS is_unpaid
  FROM invoice_group g WHERE g.is_whole AND
  g.reference IS NOT NULL AND true
) g;

-- For staff of one provider: counts of groups since a day.
SELECT (count(*) FILTER (WHERE NOT is_archived AND is_any AND is_pending))::int AS unpaid,
(count(*) FILTER (WHERE NOT is_archived AND is_any AND is_unpaid IS NOT TRUE))::int AS paid,
(count(*) FILTER (WHERE NOT is_archived AND is_any AND is_unpaid AND is_pending IS NOT TRUE))::int AS other,
(count(*) FILTER (WHERE is_archived AND is_any))::int AS archived
FROM (
  SELECT g.is_archived, "g"."last_created" >= $1::timestamptz AS is_any, "g"."pending_last_created" >= $2::timestamptz AS is_pending, "g"."unpaid_last_created" >= $3::timestamptz AS is_unpaid
  FROM invoice_group g WHERE NOT g.is_whole AND g.provider_id = $4::uuid AND "g"."provider_id" = $5::uuid AND
  g.reference IS NOT NULL AND EXISTS (SELECT FROM trader_provider seen WHERE seen.trader_id = "g"."trader_id"
    AND seen.provider_id = ANY ($6::uuid[]))
) g;

-- For staff of three providers: counts of groups since a day.
SELECT (count(*) FILTER (WHERE NOT is_archived AND is_any AND is_pending))::int AS unpaid,
(count(*) FILTER (WHERE NOT is_archived AND is_any AND is_unpaid IS NOT TRUE))::int AS paid,
(count(*) FILTER (WHERE NOT is_archived AND is_any AND is_unpaid AND is_pending IS NOT TRUE))::int AS other,
(count(*) FILTER (WHERE is_archived AND is_any))::int AS archived
FROM (
  SELECT g.is_archived, "g"."last_created" >= $1::timestamptz AS is_any, "g"."pending_last_created" >= $2::timestamptz AS is_pending, "g"."unpaid_last_created" >= $3::timestamptz AS is_unpaid
  FROM invoice_group g WHERE NOT g.is_shared AND NOT g.is_whole AND g.provider_id = ANY ($4::uuid[]) AND "g"."provider_id" = ANY ($5::uuid[]) AND
  g.reference IS NOT NULL AND EXISTS (SELECT FROM trader_provider seen WHERE seen.trader_id = "g"."trader_id"
    AND seen.provider_id = ANY ($6::uuid[]))
  UNION ALL SELECT is_archived, bool_or(is_any), bool_or(is_pending), bool_or(is_unpaid) FROM (
    SELECT g.trader_id, g.is_archived, "g"."last_created" >= $7::timestamptz AS is_any, "g"."pending_last_created" >= $8::timestamptz AS is_pending,
    "g"."unpaid_last_created" >= $9::timestamptz AS is_unpaid
    FROM invoice_group g WHERE g.is_shared AND NOT g.is_whole AND g.provider_id = ANY ($10::uuid[]) AND "g"."provider_id" = ANY ($11::uuid[]) AND
    g.reference IS NOT NULL AND EXISTS (SELECT FROM trader_provider seen WHERE seen.trader_id = "g"."trader_id"
      AND seen.provider_id = ANY ($12::uuid[]))
  ) shared
  GROUP BY trader_id, is_archived) g;
