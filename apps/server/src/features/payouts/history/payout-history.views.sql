-- Written by `npm run generate` from the views beside it. Do not edit.

-- For a super admin: a page, newest first.
WITH
page AS MATERIALIZED (
  SELECT payout_id, "key_1", "key_2", row_number() OVER () AS position
  FROM (SELECT * FROM (SELECT s.payout_id, "s"."created_at" AS "key_1", "s"."payout_id" AS "key_2" FROM payout_provider s
      WHERE "s"."provider_id" IS NULL   ORDER BY s.provider_id DESC, "s"."created_at" DESC, "s"."payout_id" DESC LIMIT 50) reached
    OFFSET $1 LIMIT 50) found)
SELECT string_agg(row_to_json(r)::text, ',' ORDER BY position) AS part,
(SELECT count(*)::int FROM page) AS rows, (SELECT ARRAY[("key_1" AT TIME ZONE 'UTC')::text || '+00', "key_2"::text] FROM page ORDER BY position DESC LIMIT 1) AS last
FROM page
CROSS JOIN LATERAL (SELECT * FROM payout o WHERE o.id = page.payout_id OFFSET 0) o
LEFT JOIN community c ON c.id = o.community_id AND true
CROSS JOIN LATERAL (SELECT
  o.id, o.status, o.recipient_type, o.recipient_address, trim_scale((SELECT sum(e.amount_units) FROM payout_provider e WHERE e.payout_id = o.id AND "e"."provider_id" IS NULL) * 0.000000000000000001)::text AS total_amount,
  o.consolidate_transaction_hash, o.distribute_transaction_hash, app.iso(o.created_at) AS created_at,
  app.iso(o.updated_at) AS updated_at,
  CASE WHEN c.id IS NOT NULL THEN json_build_object('id', c.id, 'name', c.name) END AS community,
  o.problem, o.replaced_by_id AS replaced_by, o.distribution_id IS NULL AS is_imported, coalesce(o.distribution_id IN (SELECT app.distributions_awaiting()), false) AS awaits_approval) r
GROUP BY (position - 1) / 50 ORDER BY (position - 1) / 50;

-- For staff of one provider: a page, newest first.
WITH
page AS MATERIALIZED (
  SELECT payout_id, "key_1", "key_2", row_number() OVER () AS position
  FROM (SELECT * FROM (SELECT s.payout_id, "s"."created_at" AS "key_1", "s"."payout_id" AS "key_2" FROM payout_provider s
      WHERE "s"."provider_id" IS NOT NULL AND "s"."provider_id" = $1::uuid   ORDER BY s.provider_id DESC, "s"."created_at" DESC, "s"."payout_id" DESC LIMIT 50) reached
    OFFSET $2 LIMIT 50) found)
SELECT string_agg(row_to_json(r)::text, ',' ORDER BY position) AS part,
(SELECT count(*)::int FROM page) AS rows, (SELECT ARRAY[("key_1" AT TIME ZONE 'UTC')::text || '+00', "key_2"::text] FROM page ORDER BY position DESC LIMIT 1) AS last
FROM page
CROSS JOIN LATERAL (SELECT * FROM payout o WHERE o.id = page.payout_id OFFSET 0) o
LEFT JOIN community c ON c.id = o.community_id AND EXISTS (SELECT FROM community_provider linked WHERE linked.community_id = "c"."id"
  AND linked.provider_id = ANY ($3::uuid[]))
CROSS JOIN LATERAL (SELECT
  o.id, o.status, o.recipient_type, o.recipient_address, trim_scale((SELECT sum(e.amount_units) FROM payout_provider e WHERE e.payout_id = o.id AND "e"."provider_id" IS NOT NULL AND "e"."provider_id" = $4::uuid) * 0.000000000000000001)::text AS total_amount,
  o.consolidate_transaction_hash, o.distribute_transaction_hash, app.iso(o.created_at) AS created_at,
  app.iso(o.updated_at) AS updated_at,
  CASE WHEN c.id IS NOT NULL THEN json_build_object('id', c.id, 'name', c.name) END AS community,
  o.problem, o.replaced_by_id AS replaced_by, o.distribution_id IS NULL AS is_imported, coalesce(o.distribution_id IN (SELECT app.distributions_awaiting()), false) AS awaits_approval) r
GROUP BY (position - 1) / 50 ORDER BY (position - 1) / 50;

-- For staff of three providers: a page, newest first.
WITH
page AS MATERIALIZED (
  SELECT payout_id, "key_1", "key_2", row_number() OVER () AS position
  FROM (SELECT * FROM (SELECT * FROM ((SELECT s.payout_id, "s"."created_at" AS "key_1", "s"."payout_id" AS "key_2" FROM (SELECT s.payout_id, s.community_id, s.recipient_type, s.status, s.created_at, s.amount_units, s.amount_rank FROM payout_provider s
            WHERE NOT s.is_shared AND s.provider_id = $1::uuid) s WHERE true   ORDER BY "s"."created_at" DESC, "s"."payout_id" DESC LIMIT 50) UNION ALL (SELECT s.payout_id, "s"."created_at" AS "key_1", "s"."payout_id" AS "key_2" FROM (SELECT s.payout_id, s.community_id, s.recipient_type, s.status, s.created_at, s.amount_units, s.amount_rank FROM payout_provider s
            WHERE NOT s.is_shared AND s.provider_id = $2::uuid) s WHERE true   ORDER BY "s"."created_at" DESC, "s"."payout_id" DESC LIMIT 50) UNION ALL (SELECT s.payout_id, "s"."created_at" AS "key_1", "s"."payout_id" AS "key_2" FROM (SELECT s.payout_id, s.community_id, s.recipient_type, s.status, s.created_at, s.amount_units, s.amount_rank FROM payout_provider s
            WHERE NOT s.is_shared AND s.provider_id = $3::uuid) s WHERE true   ORDER BY "s"."created_at" DESC, "s"."payout_id" DESC LIMIT 50) UNION ALL (SELECT s.payout_id, "s"."created_at" AS "key_1", "s"."payout_id" AS "key_2" FROM (SELECT s.payout_id, s.community_id, s.recipient_type, s.status, s.created_at, s.amount_units, s.amount_rank FROM payout_in_set s WHERE s.set_id = (SELECT app.provider_set())) s WHERE true   ORDER BY "s"."created_at" DESC, "s"."payout_id" DESC LIMIT 50) UNION ALL (SELECT s.payout_id, "s"."created_at" AS "key_1", "s"."payout_id" AS "key_2" FROM (SELECT s.payout_id, s.community_id, s.recipient_type, s.status, s.created_at, sum(s.amount_units) AS amount_units, sum(s.amount_units)::float8 AS amount_rank
            FROM payout_provider s
            WHERE (SELECT app.provider_set()) IS NULL AND s.is_shared AND "s"."provider_id" IS NOT NULL AND "s"."provider_id" = ANY ($4::uuid[])
            GROUP BY s.payout_id, s.community_id, s.recipient_type, s.status, s.created_at) s WHERE true   ORDER BY "s"."created_at" DESC, "s"."payout_id" DESC LIMIT 50)) found ORDER BY "key_1" DESC, "key_2" DESC LIMIT 50) reached
    OFFSET $5 LIMIT 50) found)
SELECT string_agg(row_to_json(r)::text, ',' ORDER BY position) AS part,
(SELECT count(*)::int FROM page) AS rows, (SELECT ARRAY[("key_1" AT TIME ZONE 'UTC')::text || '+00', "key_2"::text] FROM page ORDER BY position DESC LIMIT 1) AS last
FROM page
CROSS JOIN LATERAL (SELECT * FROM payout o WHERE o.id = page.payout_id OFFSET 0) o
LEFT JOIN community c ON c.id = o.community_id AND EXISTS (SELECT FROM community_provider linked WHERE linked.community_id = "c"."id"
  AND linked.provider_id = ANY ($6::uuid[]))
CROSS JOIN LATERAL (SELECT
  o.id, o.status, o.recipient_type, o.recipient_address, trim_scale((SELECT sum(e.amount_units) FROM payout_provider e WHERE e.payout_id = o.id AND "e"."provider_id" IS NOT NULL AND "e"."provider_id" = ANY ($7::uuid[])) * 0.000000000000000001)::text AS total_amount,
  o.consolidate_transaction_hash, o.distribute_transaction_hash, app.iso(o.created_at) AS created_at,
  app.iso(o.updated_at) AS updated_at,
  CASE WHEN c.id IS NOT NULL THEN json_build_object('id', c.id, 'name', c.name) END AS community,
  o.problem, o.replaced_by_id AS replaced_by, o.distribution_id IS NULL AS is_imported, coalesce(o.distribution_id IN (SELECT app.distributions_awaiting()), false) AS awaits_approval) r
GROUP BY (position - 1) / 50 ORDER BY (position - 1) / 50;

-- For a super admin: its sums.
WITH counted AS MATERIALIZED (
  SELECT recipient_type, coalesce(sum(units) FILTER (WHERE status <> 'replaced'), 0) AS units,
  coalesce(sum(payouts) FILTER (WHERE status <> 'replaced'), 0)::int AS payouts,
  coalesce(sum(units) FILTER (WHERE status = 'replaced'), 0) AS "replaced_units",
  coalesce(sum(payouts) FILTER (WHERE status = 'replaced'), 0)::int AS "replaced_payouts",
  coalesce(sum(units) FILTER (WHERE status = 'distributed'), 0) AS "paid_units",
  coalesce(sum(payouts) FILTER (WHERE status = 'distributed'), 0)::int AS "paid_payouts",
  coalesce(sum(units) FILTER (WHERE status = 'failed'), 0) AS "failed_units",
  coalesce(sum(payouts) FILTER (WHERE status = 'failed'), 0)::int AS "failed_payouts",
  min(first_created) AS first_at, max(last_created) AS last_at
  FROM (SELECT s.recipient_type, s.status, s.amount_units AS units, CASE WHEN true THEN s.payouts ELSE 0 END AS payouts,
    s.first_created, s.last_created
    FROM payout_sum s WHERE "s"."provider_id" IS NULL AND s.grain = 'month'
  ) part GROUP BY recipient_type),
awaiting AS MATERIALIZED (
  SELECT recipient_type, sum(units) AS awaiting_units, sum(payouts)::int AS awaiting_payouts
  FROM (SELECT s.recipient_type, s.status, s.amount_units AS units, (true)::int AS payouts,
    s.created_at AS first_created, s.created_at AS last_created
    FROM payout_provider s WHERE "s"."provider_id" IS NULL  AND s.payout_id IN (SELECT o.id FROM payout o WHERE o.distribution_id IN (SELECT app.distributions_awaiting()))) part
  GROUP BY recipient_type),
by_type AS (
  SELECT counted.*, coalesce(awaiting_units, 0) AS awaiting_units, coalesce(awaiting_payouts, 0) AS awaiting_payouts
  FROM counted LEFT JOIN awaiting USING (recipient_type))
SELECT json_build_object('total', coalesce(sum(payouts + replaced_payouts), 0), 'total_amount', trim_scale(coalesce(sum(units), 0) * 0.000000000000000001)::text,
  'types', coalesce(json_agg(json_build_object('recipient_type', recipient_type, 'total_amount', trim_scale(units * 0.000000000000000001)::text,
        'count', payouts,
        'paid', json_build_object('amount', trim_scale(paid_units * 0.000000000000000001)::text, 'count', paid_payouts),
        'awaiting_approval', json_build_object('amount', trim_scale(awaiting_units * 0.000000000000000001)::text, 'count', awaiting_payouts),
        'under_way', json_build_object('amount', trim_scale((units - paid_units - failed_units - awaiting_units) * 0.000000000000000001)::text, 'count', payouts - paid_payouts - failed_payouts - awaiting_payouts),
        'failed', json_build_object('amount', trim_scale(failed_units * 0.000000000000000001)::text, 'count', failed_payouts),
        'replaced', json_build_object('amount', trim_scale(replaced_units * 0.000000000000000001)::text, 'count', replaced_payouts),
        'first_at', app.iso(first_at), 'last_at', app.iso(last_at))
      ORDER BY units DESC, recipient_type), '[]')) AS sums
FROM by_type;

-- For staff of one provider: its sums.
WITH counted AS MATERIALIZED (
  SELECT recipient_type, coalesce(sum(units) FILTER (WHERE status <> 'replaced'), 0) AS units,
  coalesce(sum(payouts) FILTER (WHERE status <> 'replaced'), 0)::int AS payouts,
  coalesce(sum(units) FILTER (WHERE status = 'replaced'), 0) AS "replaced_units",
  coalesce(sum(payouts) FILTER (WHERE status = 'replaced'), 0)::int AS "replaced_payouts",
  coalesce(sum(units) FILTER (WHERE status = 'distributed'), 0) AS "paid_units",
  coalesce(sum(payouts) FILTER (WHERE status = 'distributed'), 0)::int AS "paid_payouts",
  coalesce(sum(units) FILTER (WHERE status = 'failed'), 0) AS "failed_units",
  coalesce(sum(payouts) FILTER (WHERE status = 'failed'), 0)::int AS "failed_payouts",
  min(first_created) AS first_at, max(last_created) AS last_at
  FROM (SELECT s.recipient_type, s.status, s.amount_units AS units, CASE WHEN true THEN s.payouts ELSE 0 END AS payouts,
    s.first_created, s.last_created
    FROM payout_sum s WHERE "s"."provider_id" IS NOT NULL AND "s"."provider_id" = $1::uuid AND s.grain = 'month'
  ) part GROUP BY recipient_type),
awaiting AS MATERIALIZED (
  SELECT recipient_type, sum(units) AS awaiting_units, sum(payouts)::int AS awaiting_payouts
  FROM (SELECT s.recipient_type, s.status, s.amount_units AS units, (true)::int AS payouts,
    s.created_at AS first_created, s.created_at AS last_created
    FROM payout_provider s WHERE "s"."provider_id" IS NOT NULL AND "s"."provider_id" = $2::uuid  AND s.payout_id IN (SELECT o.id FROM payout o WHERE o.distribution_id IN (SELECT app.distributions_awaiting()))) part
  GROUP BY recipient_type),
by_type AS (
  SELECT counted.*, coalesce(awaiting_units, 0) AS awaiting_units, coalesce(awaiting_payouts, 0) AS awaiting_payouts
  FROM counted LEFT JOIN awaiting USING (recipient_type))
SELECT json_build_object('total', coalesce(sum(payouts + replaced_payouts), 0), 'total_amount', trim_scale(coalesce(sum(units), 0) * 0.000000000000000001)::text,
  'types', coalesce(json_agg(json_build_object('recipient_type', recipient_type, 'total_amount', trim_scale(units * 0.000000000000000001)::text,
        'count', payouts,
        'paid', json_build_object('amount', trim_scale(paid_units * 0.000000000000000001)::text, 'count', paid_payouts),
        'awaiting_approval', json_build_object('amount', trim_scale(awaiting_units * 0.000000000000000001)::text, 'count', awaiting_payouts),
        'under_way', json_build_object('amount', trim_scale((units - paid_units - failed_units - awaiting_units) * 0.000000000000000001)::text, 'count', payouts - paid_payouts - failed_payouts - awaiting_payouts),
        'failed', json_build_object('amount', trim_scale(failed_units * 0.000000000000000001)::text, 'count', failed_payouts),
        'replaced', json_build_object('amount', trim_scale(replaced_units * 0.000000000000000001)::text, 'count', replaced_payouts),
        'first_at', app.iso(first_at), 'last_at', app.iso(last_at))
      ORDER BY units DESC, recipient_type), '[]')) AS sums
FROM by_type;

-- For staff of three providers: its sums.
WITH counted AS MATERIALIZED (
  SELECT recipient_type, coalesce(sum(units) FILTER (WHERE status <> 'replaced'), 0) AS units,
  coalesce(sum(payouts) FILTER (WHERE status <> 'replaced'), 0)::int AS payouts,
  coalesce(sum(units) FILTER (WHERE status = 'replaced'), 0) AS "replaced_units",
  coalesce(sum(payouts) FILTER (WHERE status = 'replaced'), 0)::int AS "replaced_payouts",
  coalesce(sum(units) FILTER (WHERE status = 'distributed'), 0) AS "paid_units",
  coalesce(sum(payouts) FILTER (WHERE status = 'distributed'), 0)::int AS "paid_payouts",
  coalesce(sum(units) FILTER (WHERE status = 'failed'), 0) AS "failed_units",
  coalesce(sum(payouts) FILTER (WHERE status = 'failed'), 0)::int AS "failed_payouts",
  min(first_created) AS first_at, max(last_created) AS last_at
  FROM (SELECT s.recipient_type, s.status, s.amount_units AS units, CASE WHEN (cardinality(s.provider_ids) = 1 OR s.provider_id = (
        SELECT p FROM unnest(s.provider_ids) p WHERE p = ANY ($1::uuid[]) ORDER BY p LIMIT 1)) THEN s.payouts ELSE 0 END AS payouts,
    s.first_created, s.last_created
    FROM payout_sum s WHERE "s"."provider_id" IS NOT NULL AND "s"."provider_id" = ANY ($2::uuid[]) AND s.grain = 'month'
  ) part GROUP BY recipient_type),
awaiting AS MATERIALIZED (
  SELECT recipient_type, sum(units) AS awaiting_units, sum(payouts)::int AS awaiting_payouts
  FROM (SELECT s.recipient_type, s.status, s.amount_units AS units, ((cardinality(s.provider_ids) = 1 OR s.provider_id = (
          SELECT p FROM unnest(s.provider_ids) p WHERE p = ANY ($3::uuid[]) ORDER BY p LIMIT 1)))::int AS payouts,
    s.created_at AS first_created, s.created_at AS last_created
    FROM payout_provider s WHERE "s"."provider_id" IS NOT NULL AND "s"."provider_id" = ANY ($4::uuid[])  AND s.payout_id IN (SELECT o.id FROM payout o WHERE o.distribution_id IN (SELECT app.distributions_awaiting()))) part
  GROUP BY recipient_type),
by_type AS (
  SELECT counted.*, coalesce(awaiting_units, 0) AS awaiting_units, coalesce(awaiting_payouts, 0) AS awaiting_payouts
  FROM counted LEFT JOIN awaiting USING (recipient_type))
SELECT json_build_object('total', coalesce(sum(payouts + replaced_payouts), 0), 'total_amount', trim_scale(coalesce(sum(units), 0) * 0.000000000000000001)::text,
  'types', coalesce(json_agg(json_build_object('recipient_type', recipient_type, 'total_amount', trim_scale(units * 0.000000000000000001)::text,
        'count', payouts,
        'paid', json_build_object('amount', trim_scale(paid_units * 0.000000000000000001)::text, 'count', paid_payouts),
        'awaiting_approval', json_build_object('amount', trim_scale(awaiting_units * 0.000000000000000001)::text, 'count', awaiting_payouts),
        'under_way', json_build_object('amount', trim_scale((units - paid_units - failed_units - awaiting_units) * 0.000000000000000001)::text, 'count', payouts - paid_payouts - failed_payouts - awaiting_payouts),
        'failed', json_build_object('amount', trim_scale(failed_units * 0.000000000000000001)::text, 'count', failed_payouts),
        'replaced', json_build_object('amount', trim_scale(replaced_units * 0.000000000000000001)::text, 'count', replaced_payouts),
        'first_at', app.iso(first_at), 'last_at', app.iso(last_at))
      ORDER BY units DESC, recipient_type), '[]')) AS sums
FROM by_type;
