-- Written by `npm run generate` from the views beside it. Do not edit.

-- For a super admin: a page, changed lately first, and the counts beside it.
WITH owner AS MATERIALIZED (
  SELECT 'provider' AS owner_kind, p.id::text AS owner_id, p.display_name AS owner, lower(p.payout_address) AS address,
  ARRAY[p.display_name, p.name] AS names
  FROM provider p WHERE true
  UNION ALL SELECT 'community', c.id::text, c.name, lower(c.external_wallet_address), ARRAY[c.name]
  FROM community c WHERE true
  UNION ALL SELECT 'community_referrer', c.id::text, c.name, lower(c.referrer_wallet_address), ARRAY[c.name]
  -- One value a row: with EXISTS, PostgreSQL may read all shares.
  FROM community c WHERE true AND (c.referrer_wallet_address IS NOT NULL OR coalesce((
        SELECT true FROM payable y WHERE y.community_id = c.id AND y.recipient_type = 'community_referrer' LIMIT 1), false))
  UNION ALL SELECT 'trader', t.id::text, coalesce(t.reference_number, nullif(t.telegram_username, ''), nullif(t.name, ''),
    left(t.id::text, 8)), lower(t.external_wallet_address),
  ARRAY[t.reference_number, t.telegram_username, t.name]
  FROM trader t WHERE true
  AND t.id IN (SELECT d.referred_by_trader_id FROM trader d WHERE d.referred_by_trader_id IS NOT NULL
    -- What waits for a release is listed, whether anything will be owed or not.
    UNION SELECT a.owner_id::uuid FROM payout_address_change a
    WHERE a.owner_kind = 'trader' AND a.released_at IS NULL AND a.address IS NOT NULL)
  UNION ALL SELECT 'platform', r.recipient_type, r.recipient_type, lower(r.address), ARRAY[r.recipient_type]
  FROM platform_recipient r),
found AS MATERIALIZED (
  SELECT o.*, a.changed_at, CASE WHEN o.address IS NULL THEN 'missing'
  WHEN a.id IS NOT NULL AND app.is_held("a"."released_at", "a"."changed_at",
    make_interval(hours => $1::int)) THEN 'held' ELSE 'payable' END AS state
  FROM owner o LEFT JOIN payout_address_change a
  ON a.owner_kind = "o"."owner_kind" AND a.owner_id = "o"."owner_id" WHERE true),
page AS MATERIALIZED (
  SELECT o.*, row_number() OVER () AS position
  FROM (SELECT * FROM found o WHERE true
    ORDER BY coalesce(o.changed_at, '-infinity') DESC, "o"."owner" COLLATE app.names, o.owner_kind, o.owner_id LIMIT $2 OFFSET $3) o),
shared AS MATERIALIZED (
  SELECT page.position, jsonb_build_object('count', count(*), 'owners', jsonb_path_query_array(
      jsonb_agg(jsonb_build_object('owner_kind', o.owner_kind, 'owner', o.owner)
        ORDER BY "o"."owner" COLLATE app.names, o.owner_kind, o.owner_id), $4::jsonpath)) AS shared_by
  FROM page JOIN owner o ON o.address = page.address
  AND (o.owner_kind, o.owner_id) <> (page.owner_kind, page.owner_id)
  GROUP BY page.position),
shown AS (
  SELECT page.position, page.owner_kind, page.owner_id, page.owner, page.address, page.state, a.previous_address,
  app.iso("a"."changed_at") AS changed_at,
  CASE WHEN (page.address IS NOT NULL AND a.id IS NOT NULL) AND app.is_held("a"."released_at", "a"."changed_at",
    make_interval(hours => $5::int))
  THEN app.iso("a"."changed_at" + make_interval(hours => $6::int)) END AS payable_from,
  (page.address IS NOT NULL AND a.id IS NOT NULL) AND "a"."released_at" IS NULL AS awaits_release, CASE WHEN (page.address IS NOT NULL AND a.id IS NOT NULL) AND "a"."released_at" IS NULL THEN "a"."id" END AS change_id,
  coalesce((SELECT s.owner_id::text
      FROM identity.service_token s WHERE s.id::text = "a"."changed_by_id"),
    "a"."changed_by_id") AS changed_by_id, coalesce((SELECT p.email FROM identity.person p
      WHERE p.id::text = coalesce((SELECT s.owner_id::text
          FROM identity.service_token s WHERE s.id::text = "a"."changed_by_id"),
        "a"."changed_by_id")), "a"."changed_by_id") AS changed_by, (SELECT jsonb_build_object('kind', w.kind, 'read_at', app.iso(w.read_at))
    FROM payout_address_word w WHERE w.change_id = "a"."id") AS owner_word,
  (SELECT json_build_object('read_at', app.iso(r.read_at),
      'is_contract', r.is_contract, 'is_token', r.is_token, 'is_used', r.is_used)
    FROM address_reading r WHERE r.address = lower("page"."address") ORDER BY r.read_at DESC LIMIT 1) AS chain, coalesce(CASE page.owner_kind
    WHEN 'provider' THEN (SELECT sum(y.amount_units) FROM payable y WHERE y.recipient_type = 'mark' AND y.provider_id = page.owner_id::uuid
      AND y.payout_id IS NULL AND y.settled_at IS NULL
      AND true)
    WHEN 'trader' THEN (SELECT sum(y.amount_units) FROM trader t JOIN invoice i ON i.trader_id = t.id JOIN payable y ON y.invoice_id = i.id
      WHERE t.referred_by_trader_id = page.owner_id::uuid AND y.recipient_type = 'trader_referrer'
      AND y.payout_id IS NULL AND y.settled_at IS NULL
      AND true)
    WHEN 'platform' THEN (SELECT sum(y.amount_units) FROM payable y WHERE y.recipient_type = page.owner_id
      AND y.payout_id IS NULL AND y.settled_at IS NULL
      AND true)
    ELSE (SELECT sum(y.amount_units) FROM payable y WHERE y.community_id = page.owner_id::uuid AND y.recipient_type = page.owner_kind
      AND y.payout_id IS NULL AND y.settled_at IS NULL
      AND true) END, 0)::text AS owed_units,
  h.paid_count, app.iso(h.last_paid_at) AS last_paid_at, h.last_units,
  coalesce(shared.shared_by, '{"count": 0, "owners": []}') AS shared_by
  FROM page LEFT JOIN payout_address_change a
  ON a.owner_kind = "page"."owner_kind" AND a.owner_id = "page"."owner_id"
  LEFT JOIN shared ON shared.position = page.position
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(b.payouts), 0)::int AS paid_count, max(b.paid_at) AS last_paid_at,
    (array_agg(b.units::text ORDER BY b.paid_at DESC))[:12] AS last_units
    FROM (SELECT count(*) AS payouts, sum(l.amount_units) AS units, max(l.updated_at) AS paid_at
      FROM (SELECT o.id, o.distribution_id, o.amount_units, o.updated_at FROM payout o
        WHERE o.recipient_search = page.address AND o.status = 'distributed'
        ORDER BY o.updated_at DESC LIMIT 100) l
      GROUP BY coalesce(l.distribution_id, l.id)) b) h)
SELECT coalesce((SELECT json_agg(row_to_json(shown) ORDER BY shown.position) FROM shown), '[]') AS rows,
(SELECT jsonb_object_agg(s.state, s.count)
  FROM (SELECT o.state, count(*) AS count FROM found o GROUP BY o.state) s) AS states;

-- For staff of one provider: a page, changed lately first, and the counts beside it.
WITH owner AS MATERIALIZED (
  SELECT 'provider' AS owner_kind, p.id::text AS owner_id, p.display_name AS owner, lower(p.payout_address) AS address,
  ARRAY[p.display_name, p.name] AS names
  FROM provider p WHERE "p"."id" = $1::uuid
  UNION ALL SELECT 'community', c.id::text, c.name, lower(c.external_wallet_address), ARRAY[c.name]
  FROM community c WHERE EXISTS (SELECT FROM community_provider linked WHERE linked.community_id = "c"."id"
    AND linked.provider_id = ANY ($2::uuid[]))
  UNION ALL SELECT 'community_referrer', c.id::text, c.name, lower(c.referrer_wallet_address), ARRAY[c.name]
  -- One value a row: with EXISTS, PostgreSQL may read all shares.
  FROM community c WHERE EXISTS (SELECT FROM community_provider linked WHERE linked.community_id = "c"."id"
    AND linked.provider_id = ANY ($3::uuid[])) AND (c.referrer_wallet_address IS NOT NULL OR coalesce((
        SELECT true FROM payable y WHERE y.community_id = c.id AND y.recipient_type = 'community_referrer' LIMIT 1), false))
  UNION ALL SELECT 'trader', t.id::text, coalesce(t.reference_number, nullif(t.telegram_username, ''), nullif(t.name, ''),
    left(t.id::text, 8)), lower(t.external_wallet_address),
  ARRAY[t.reference_number, t.telegram_username, t.name]
  FROM trader t WHERE EXISTS (SELECT FROM trader_provider seen WHERE seen.trader_id = "t"."id"
    AND seen.provider_id = ANY ($4::uuid[]))
  AND t.id IN (SELECT d.referred_by_trader_id FROM trader d WHERE d.referred_by_trader_id IS NOT NULL
    -- What waits for a release is listed, whether anything will be owed or not.
    UNION SELECT a.owner_id::uuid FROM payout_address_change a
    WHERE a.owner_kind = 'trader' AND a.released_at IS NULL AND a.address IS NOT NULL)
  UNION ALL SELECT 'platform', r.recipient_type, r.recipient_type, lower(r.address), ARRAY[r.recipient_type]
  FROM platform_recipient r),
found AS MATERIALIZED (
  SELECT o.*, a.changed_at, CASE WHEN o.address IS NULL THEN 'missing'
  WHEN a.id IS NOT NULL AND app.is_held("a"."released_at", "a"."changed_at",
    make_interval(hours => $5::int)) THEN 'held' ELSE 'payable' END AS state
  FROM owner o LEFT JOIN payout_address_change a
  ON a.owner_kind = "o"."owner_kind" AND a.owner_id = "o"."owner_id" WHERE true),
page AS MATERIALIZED (
  SELECT o.*, row_number() OVER () AS position
  FROM (SELECT * FROM found o WHERE true
    ORDER BY coalesce(o.changed_at, '-infinity') DESC, "o"."owner" COLLATE app.names, o.owner_kind, o.owner_id LIMIT $6 OFFSET $7) o),
shared AS MATERIALIZED (
  SELECT page.position, jsonb_build_object('count', count(*), 'owners', jsonb_path_query_array(
      jsonb_agg(jsonb_build_object('owner_kind', o.owner_kind, 'owner', o.owner)
        ORDER BY "o"."owner" COLLATE app.names, o.owner_kind, o.owner_id), $8::jsonpath)) AS shared_by
  FROM page JOIN owner o ON o.address = page.address
  AND (o.owner_kind, o.owner_id) <> (page.owner_kind, page.owner_id)
  GROUP BY page.position),
shown AS (
  SELECT page.position, page.owner_kind, page.owner_id, page.owner, page.address, page.state, a.previous_address,
  app.iso("a"."changed_at") AS changed_at,
  CASE WHEN (page.address IS NOT NULL AND a.id IS NOT NULL) AND app.is_held("a"."released_at", "a"."changed_at",
    make_interval(hours => $9::int))
  THEN app.iso("a"."changed_at" + make_interval(hours => $10::int)) END AS payable_from,
  (page.address IS NOT NULL AND a.id IS NOT NULL) AND "a"."released_at" IS NULL AS awaits_release, CASE WHEN (page.address IS NOT NULL AND a.id IS NOT NULL) AND "a"."released_at" IS NULL THEN "a"."id" END AS change_id,
  coalesce((SELECT s.owner_id::text
      FROM identity.service_token s WHERE s.id::text = "a"."changed_by_id"),
    "a"."changed_by_id") AS changed_by_id, coalesce((SELECT p.email FROM identity.person p
      WHERE p.id::text = coalesce((SELECT s.owner_id::text
          FROM identity.service_token s WHERE s.id::text = "a"."changed_by_id"),
        "a"."changed_by_id")), "a"."changed_by_id") AS changed_by, (SELECT jsonb_build_object('kind', w.kind, 'read_at', app.iso(w.read_at))
    FROM payout_address_word w WHERE w.change_id = "a"."id") AS owner_word,
  (SELECT json_build_object('read_at', app.iso(r.read_at),
      'is_contract', r.is_contract, 'is_token', r.is_token, 'is_used', r.is_used)
    FROM address_reading r WHERE r.address = lower("page"."address") ORDER BY r.read_at DESC LIMIT 1) AS chain, coalesce(CASE page.owner_kind
    WHEN 'provider' THEN (SELECT sum(y.amount_units) FROM payable y WHERE y.recipient_type = 'mark' AND y.provider_id = page.owner_id::uuid
      AND y.payout_id IS NULL AND y.settled_at IS NULL
      AND EXISTS (SELECT FROM community_provider linked WHERE linked.community_id = "y"."community_id"
        AND linked.provider_id = ANY ($11::uuid[])))
    WHEN 'trader' THEN (SELECT sum(y.amount_units) FROM trader t JOIN invoice i ON i.trader_id = t.id JOIN payable y ON y.invoice_id = i.id
      WHERE t.referred_by_trader_id = page.owner_id::uuid AND y.recipient_type = 'trader_referrer'
      AND y.payout_id IS NULL AND y.settled_at IS NULL
      AND EXISTS (SELECT FROM community_provider linked WHERE linked.community_id = "y"."community_id"
        AND linked.provider_id = ANY ($12::uuid[])))
    WHEN 'platform' THEN (SELECT sum(y.amount_units) FROM payable y WHERE y.recipient_type = page.owner_id
      AND y.payout_id IS NULL AND y.settled_at IS NULL
      AND EXISTS (SELECT FROM community_provider linked WHERE linked.community_id = "y"."community_id"
        AND linked.provider_id = ANY ($13::uuid[])))
    ELSE (SELECT sum(y.amount_units) FROM payable y WHERE y.community_id = page.owner_id::uuid AND y.recipient_type = page.owner_kind
      AND y.payout_id IS NULL AND y.settled_at IS NULL
      AND EXISTS (SELECT FROM community_provider linked WHERE linked.community_id = "y"."community_id"
        AND linked.provider_id = ANY ($14::uuid[]))) END, 0)::text AS owed_units,
  h.paid_count, app.iso(h.last_paid_at) AS last_paid_at, h.last_units,
  coalesce(shared.shared_by, '{"count": 0, "owners": []}') AS shared_by
  FROM page LEFT JOIN payout_address_change a
  ON a.owner_kind = "page"."owner_kind" AND a.owner_id = "page"."owner_id"
  LEFT JOIN shared ON shared.position = page.position
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(b.payouts), 0)::int AS paid_count, max(b.paid_at) AS last_paid_at,
    (array_agg(b.units::text ORDER BY b.paid_at DESC))[:12] AS last_units
    FROM (SELECT count(*) AS payouts, sum(l.amount_units) AS units, max(l.updated_at) AS paid_at
      FROM (SELECT o.id, o.distribution_id, o.amount_units, o.updated_at FROM payout o
        WHERE o.recipient_search = page.address AND o.status = 'distributed'
        ORDER BY o.updated_at DESC LIMIT 100) l
      GROUP BY coalesce(l.distribution_id, l.id)) b) h)
SELECT coalesce((SELECT json_agg(row_to_json(shown) ORDER BY shown.position) FROM shown), '[]') AS rows,
(SELECT jsonb_object_agg(s.state, s.count)
  FROM (SELECT o.state, count(*) AS count FROM found o GROUP BY o.state) s) AS states;

-- For staff of three providers: a page, changed lately first, and the counts beside it.
WITH owner AS MATERIALIZED (
  SELECT 'provider' AS owner_kind, p.id::text AS owner_id, p.display_name AS owner, lower(p.payout_address) AS address,
  ARRAY[p.display_name, p.name] AS names
  FROM provider p WHERE "p"."id" = ANY ($1::uuid[])
  UNION ALL SELECT 'community', c.id::text, c.name, lower(c.external_wallet_address), ARRAY[c.name]
  FROM community c WHERE EXISTS (SELECT FROM community_provider linked WHERE linked.community_id = "c"."id"
    AND linked.provider_id = ANY ($2::uuid[]))
  UNION ALL SELECT 'community_referrer', c.id::text, c.name, lower(c.referrer_wallet_address), ARRAY[c.name]
  -- One value a row: with EXISTS, PostgreSQL may read all shares.
  FROM community c WHERE EXISTS (SELECT FROM community_provider linked WHERE linked.community_id = "c"."id"
    AND linked.provider_id = ANY ($3::uuid[])) AND (c.referrer_wallet_address IS NOT NULL OR coalesce((
        SELECT true FROM payable y WHERE y.community_id = c.id AND y.recipient_type = 'community_referrer' LIMIT 1), false))
  UNION ALL SELECT 'trader', t.id::text, coalesce(t.reference_number, nullif(t.telegram_username, ''), nullif(t.name, ''),
    left(t.id::text, 8)), lower(t.external_wallet_address),
  ARRAY[t.reference_number, t.telegram_username, t.name]
  FROM trader t WHERE EXISTS (SELECT FROM trader_provider seen WHERE seen.trader_id = "t"."id"
    AND seen.provider_id = ANY ($4::uuid[]))
  AND t.id IN (SELECT d.referred_by_trader_id FROM trader d WHERE d.referred_by_trader_id IS NOT NULL
    -- What waits for a release is listed, whether anything will be owed or not.
    UNION SELECT a.owner_id::uuid FROM payout_address_change a
    WHERE a.owner_kind = 'trader' AND a.released_at IS NULL AND a.address IS NOT NULL)
  UNION ALL SELECT 'platform', r.recipient_type, r.recipient_type, lower(r.address), ARRAY[r.recipient_type]
  FROM platform_recipient r),
found AS MATERIALIZED (
  SELECT o.*, a.changed_at, CASE WHEN o.address IS NULL THEN 'missing'
  WHEN a.id IS NOT NULL AND app.is_held("a"."released_at", "a"."changed_at",
    make_interval(hours => $5::int)) THEN 'held' ELSE 'payable' END AS state
  FROM owner o LEFT JOIN payout_address_change a
  ON a.owner_kind = "o"."owner_kind" AND a.owner_id = "o"."owner_id" WHERE true),
page AS MATERIALIZED (
  SELECT o.*, row_number() OVER () AS position
  FROM (SELECT * FROM found o WHERE true
    ORDER BY coalesce(o.changed_at, '-infinity') DESC, "o"."owner" COLLATE app.names, o.owner_kind, o.owner_id LIMIT $6 OFFSET $7) o),
shared AS MATERIALIZED (
  SELECT page.position, jsonb_build_object('count', count(*), 'owners', jsonb_path_query_array(
      jsonb_agg(jsonb_build_object('owner_kind', o.owner_kind, 'owner', o.owner)
        ORDER BY "o"."owner" COLLATE app.names, o.owner_kind, o.owner_id), $8::jsonpath)) AS shared_by
  FROM page JOIN owner o ON o.address = page.address
  AND (o.owner_kind, o.owner_id) <> (page.owner_kind, page.owner_id)
  GROUP BY page.position),
shown AS (
  SELECT page.position, page.owner_kind, page.owner_id, page.owner, page.address, page.state, a.previous_address,
  app.iso("a"."changed_at") AS changed_at,
  CASE WHEN (page.address IS NOT NULL AND a.id IS NOT NULL) AND app.is_held("a"."released_at", "a"."changed_at",
    make_interval(hours => $9::int))
  THEN app.iso("a"."changed_at" + make_interval(hours => $10::int)) END AS payable_from,
  (page.address IS NOT NULL AND a.id IS NOT NULL) AND "a"."released_at" IS NULL AS awaits_release, CASE WHEN (page.address IS NOT NULL AND a.id IS NOT NULL) AND "a"."released_at" IS NULL THEN "a"."id" END AS change_id,
  coalesce((SELECT s.owner_id::text
      FROM identity.service_token s WHERE s.id::text = "a"."changed_by_id"),
    "a"."changed_by_id") AS changed_by_id, coalesce((SELECT p.email FROM identity.person p
      WHERE p.id::text = coalesce((SELECT s.owner_id::text
          FROM identity.service_token s WHERE s.id::text = "a"."changed_by_id"),
        "a"."changed_by_id")), "a"."changed_by_id") AS changed_by, (SELECT jsonb_build_object('kind', w.kind, 'read_at', app.iso(w.read_at))
    FROM payout_address_word w WHERE w.change_id = "a"."id") AS owner_word,
  (SELECT json_build_object('read_at', app.iso(r.read_at),
      'is_contract', r.is_contract, 'is_token', r.is_token, 'is_used', r.is_used)
    FROM address_reading r WHERE r.address = lower("page"."address") ORDER BY r.read_at DESC LIMIT 1) AS chain, coalesce(CASE page.owner_kind
    WHEN 'provider' THEN (SELECT sum(y.amount_units) FROM payable y WHERE y.recipient_type = 'mark' AND y.provider_id = page.owner_id::uuid
      AND y.payout_id IS NULL AND y.settled_at IS NULL
      AND EXISTS (SELECT FROM community_provider linked WHERE linked.community_id = "y"."community_id"
        AND linked.provider_id = ANY ($11::uuid[])))
    WHEN 'trader' THEN (SELECT sum(y.amount_units) FROM trader t JOIN invoice i ON i.trader_id = t.id JOIN payable y ON y.invoice_id = i.id
      WHERE t.referred_by_trader_id = page.owner_id::uuid AND y.recipient_type = 'trader_referrer'
      AND y.payout_id IS NULL AND y.settled_at IS NULL
      AND EXISTS (SELECT FROM community_provider linked WHERE linked.community_id = "y"."community_id"
        AND linked.provider_id = ANY ($12::uuid[])))
    WHEN 'platform' THEN (SELECT sum(y.amount_units) FROM payable y WHERE y.recipient_type = page.owner_id
      AND y.payout_id IS NULL AND y.settled_at IS NULL
      AND EXISTS (SELECT FROM community_provider linked WHERE linked.community_id = "y"."community_id"
        AND linked.provider_id = ANY ($13::uuid[])))
    ELSE (SELECT sum(y.amount_units) FROM payable y WHERE y.community_id = page.owner_id::uuid AND y.recipient_type = page.owner_kind
      AND y.payout_id IS NULL AND y.settled_at IS NULL
      AND EXISTS (SELECT FROM community_provider linked WHERE linked.community_id = "y"."community_id"
        AND linked.provider_id = ANY ($14::uuid[]))) END, 0)::text AS owed_units,
  h.paid_count, app.iso(h.last_paid_at) AS last_paid_at, h.last_units,
  coalesce(shared.shared_by, '{"count": 0, "owners": []}') AS shared_by
  FROM page LEFT JOIN payout_address_change a
  ON a.owner_kind = "page"."owner_kind" AND a.owner_id = "page"."owner_id"
  LEFT JOIN shared ON shared.position = page.position
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(b.payouts), 0)::int AS paid_count, max(b.paid_at) AS last_paid_at,
    (array_agg(b.units::text ORDER BY b.paid_at DESC))[:12] AS last_units
    FROM (SELECT count(*) AS payouts, sum(l.amount_units) AS units, max(l.updated_at) AS paid_at
      FROM (SELECT o.id, o.distribution_id, o.amount_units, o.updated_at FROM payout o
        WHERE o.recipient_search = page.address AND o.status = 'distributed'
        ORDER BY o.updated_at DESC LIMIT 100) l
      GROUP BY coalesce(l.distribution_id, l.id)) b) h)
SELECT coalesce((SELECT json_agg(row_to_json(shown) ORDER BY shown.position) FROM shown), '[]') AS rows,
(SELECT jsonb_object_agg(s.state, s.count)
  FROM (SELECT o.state, count(*) AS count FROM found o GROUP BY o.state) s) AS states;
