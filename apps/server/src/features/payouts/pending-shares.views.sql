-- Written by `npm run generate` from the views beside it. Do not edit.

-- For a super admin: the pending shares of a community.
WITH stuck AS MATERIALIZED (
  SELECT t.id AS trader_id, 'not_checked' AS reason FROM trader t WHERE t.books_opened_at IS NULL
  UNION ALL SELECT w.owner_id, 'deposit_frozen' FROM chain_wallet w
  WHERE w.chain_id = $1 AND w.role = 'deposit' AND w.frozen_because IS NOT NULL),
held AS MATERIALIZED (
  SELECT y.id, max(s.reason) AS reason
  FROM stuck s JOIN invoice i ON i.trader_id = s.trader_id JOIN payable y ON y.invoice_id = i.id
  LEFT JOIN transfer c ON c.id = y.consolidation_id
  WHERE y.payout_id IS NULL AND y.settled_at IS NULL
  AND y.community_id = ANY ($2::uuid[]) AND c.state IS DISTINCT FROM 'final'
  GROUP BY y.id),
changed AS MATERIALIZED (
  SELECT a.id, a.owner_kind, a.owner_id, coalesce((SELECT s.owner_id::text
      FROM identity.service_token s WHERE s.id::text = "a"."changed_by_id"),
    "a"."changed_by_id") AS changed_by_id, a.released_at IS NULL AS awaits_release,
  app.iso("a"."changed_at" + make_interval(hours => $3::int)) AS payable_from, (SELECT jsonb_build_object('kind', w.kind, 'read_at', app.iso(w.read_at))
    FROM payout_address_word w WHERE w.change_id = "a"."id") AS owner_word
  FROM payout_address_change a WHERE app.is_held("a"."released_at", "a"."changed_at",
    make_interval(hours => $4::int))),
added AS MATERIALIZED (
  SELECT y.community_id, y.recipient_type, y.provider_id, y.recipient_address, h.reason,
  CASE WHEN y.recipient_type = 'trader_referrer' THEN
  (SELECT i.trader_id FROM invoice i WHERE i.id = y.invoice_id) END AS trader_id,
  sum(y.amount_units) AS units, count(*) AS n, min(y.created_at) AS oldest_at
  FROM payable y LEFT JOIN held h ON h.id = y.id
  WHERE y.payout_id IS NULL AND y.settled_at IS NULL
  AND y.community_id = ANY ($5::uuid[])
  AND true
  AND true
  GROUP BY 1, 2, 3, 4, 5, 6),
share AS (
  SELECT y.*, lower(coalesce(CASE y.recipient_type
      WHEN 'mark' THEN p.payout_address
      WHEN 'community' THEN c.external_wallet_address
      WHEN 'community_referrer' THEN c.referrer_wallet_address
      WHEN 'trader_referrer' THEN referrer.address
      ELSE platform.address END, y.recipient_address)) AS address,
  CASE y.recipient_type WHEN 'mark' THEN 'provider' WHEN 'community' THEN 'community'
  WHEN 'community_referrer' THEN 'community_referrer' WHEN 'trader_referrer' THEN 'trader'
  ELSE 'platform' END AS owner_kind,
  CASE y.recipient_type WHEN 'mark' THEN y.provider_id::text WHEN 'community' THEN y.community_id::text
  WHEN 'community_referrer' THEN y.community_id::text WHEN 'trader_referrer' THEN referrer.id::text
  ELSE y.recipient_type END AS owner_id, referrer.referred_id
  FROM added y
  JOIN community c ON c.id = y.community_id
  LEFT JOIN provider p ON p.id = y.provider_id
  LEFT JOIN platform_recipient platform ON platform.recipient_type = y.recipient_type
  LEFT JOIN LATERAL (
    SELECT r.id, t.id::text AS referred_id, r.external_wallet_address AS address FROM (SELECT * FROM trader t WHERE t.id = y.trader_id) t
    JOIN trader r ON r.id = t.referred_by_trader_id) referrer ON y.recipient_type = 'trader_referrer')
SELECT y.community_id, y.recipient_type, y.address, sum(y.units)::text AS units, sum(y.n)::int AS count,
y.reason AS hold, a.id AS change_id, a.payable_from, a.awaits_release, a.changed_by_id, a.is_of_referrer,
a.owner_word
FROM share y
LEFT JOIN changed owner ON owner.owner_kind = y.owner_kind AND owner.owner_id = y.owner_id
LEFT JOIN changed referrer ON referrer.owner_kind = 'trader_referrer' AND referrer.owner_id = y.referred_id
-- Who gets a share is decided before where it goes.
CROSS JOIN LATERAL (SELECT coalesce(referrer.id, owner.id) AS id, referrer.id IS NOT NULL AS is_of_referrer,
  CASE WHEN referrer.id IS NULL THEN owner.payable_from ELSE referrer.payable_from END AS payable_from,
  CASE WHEN referrer.id IS NULL THEN owner.awaits_release ELSE referrer.awaits_release END AS awaits_release,
  CASE WHEN referrer.id IS NULL THEN owner.changed_by_id ELSE referrer.changed_by_id END AS changed_by_id,
  CASE WHEN referrer.id IS NULL THEN owner.owner_word END AS owner_word) a
GROUP BY y.community_id, y.recipient_type, y.address, y.reason, a.id, a.payable_from, a.awaits_release, a.changed_by_id,
a.is_of_referrer, a.owner_word
ORDER BY sum(y.units) DESC, y.recipient_type, y.address, y.reason, a.id, y.community_id;

-- For staff of one provider: the pending shares of a community.
WITH stuck AS MATERIALIZED (
  SELECT t.id AS trader_id, 'not_checked' AS reason FROM trader t WHERE t.books_opened_at IS NULL
  UNION ALL SELECT w.owner_id, 'deposit_frozen' FROM chain_wallet w
  WHERE w.chain_id = $1 AND w.role = 'deposit' AND w.frozen_because IS NOT NULL),
held AS MATERIALIZED (
  SELECT y.id, max(s.reason) AS reason
  FROM stuck s JOIN invoice i ON i.trader_id = s.trader_id JOIN payable y ON y.invoice_id = i.id
  LEFT JOIN transfer c ON c.id = y.consolidation_id
  WHERE y.payout_id IS NULL AND y.settled_at IS NULL
  AND y.community_id = ANY ($2::uuid[]) AND c.state IS DISTINCT FROM 'final'
  GROUP BY y.id),
changed AS MATERIALIZED (
  SELECT a.id, a.owner_kind, a.owner_id, coalesce((SELECT s.owner_id::text
      FROM identity.service_token s WHERE s.id::text = "a"."changed_by_id"),
    "a"."changed_by_id") AS changed_by_id, a.released_at IS NULL AS awaits_release,
  app.iso("a"."changed_at" + make_interval(hours => $3::int)) AS payable_from, (SELECT jsonb_build_object('kind', w.kind, 'read_at', app.iso(w.read_at))
    FROM payout_address_word w WHERE w.change_id = "a"."id") AS owner_word
  FROM payout_address_change a WHERE app.is_held("a"."released_at", "a"."changed_at",
    make_interval(hours => $4::int))),
added AS MATERIALIZED (
  SELECT y.community_id, y.recipient_type, y.provider_id, y.recipient_address, h.reason,
  CASE WHEN y.recipient_type = 'trader_referrer' THEN
  (SELECT i.trader_id FROM invoice i WHERE i.id = y.invoice_id) END AS trader_id,
  sum(y.amount_units) AS units, count(*) AS n, min(y.created_at) AS oldest_at
  FROM payable y LEFT JOIN held h ON h.id = y.id
  WHERE y.payout_id IS NULL AND y.settled_at IS NULL
  AND y.community_id = ANY ($5::uuid[])
  AND true
  AND EXISTS (SELECT FROM community_provider linked WHERE linked.community_id = "y"."community_id"
    AND linked.provider_id = ANY ($6::uuid[]))
  GROUP BY 1, 2, 3, 4, 5, 6),
share AS (
  SELECT y.*, lower(coalesce(CASE y.recipient_type
      WHEN 'mark' THEN p.payout_address
      WHEN 'community' THEN c.external_wallet_address
      WHEN 'community_referrer' THEN c.referrer_wallet_address
      WHEN 'trader_referrer' THEN referrer.address
      ELSE platform.address END, y.recipient_address)) AS address,
  CASE y.recipient_type WHEN 'mark' THEN 'provider' WHEN 'community' THEN 'community'
  WHEN 'community_referrer' THEN 'community_referrer' WHEN 'trader_referrer' THEN 'trader'
  ELSE 'platform' END AS owner_kind,
  CASE y.recipient_type WHEN 'mark' THEN y.provider_id::text WHEN 'community' THEN y.community_id::text
  WHEN 'community_referrer' THEN y.community_id::text WHEN 'trader_referrer' THEN referrer.id::text
  ELSE y.recipient_type END AS owner_id, referrer.referred_id
  FROM added y
  JOIN community c ON c.id = y.community_id
  LEFT JOIN provider p ON p.id = y.provider_id
  LEFT JOIN platform_recipient platform ON platform.recipient_type = y.recipient_type
  LEFT JOIN LATERAL (
    SELECT r.id, t.id::text AS referred_id, r.external_wallet_address AS address FROM (SELECT * FROM trader t WHERE t.id = y.trader_id) t
    JOIN trader r ON r.id = t.referred_by_trader_id) referrer ON y.recipient_type = 'trader_referrer')
SELECT y.community_id, y.recipient_type, y.address, sum(y.units)::text AS units, sum(y.n)::int AS count,
y.reason AS hold, a.id AS change_id, a.payable_from, a.awaits_release, a.changed_by_id, a.is_of_referrer,
a.owner_word
FROM share y
LEFT JOIN changed owner ON owner.owner_kind = y.owner_kind AND owner.owner_id = y.owner_id
LEFT JOIN changed referrer ON referrer.owner_kind = 'trader_referrer' AND referrer.owner_id = y.referred_id
-- Who gets a share is decided before where it goes.
CROSS JOIN LATERAL (SELECT coalesce(referrer.id, owner.id) AS id, referrer.id IS NOT NULL AS is_of_referrer,
  CASE WHEN referrer.id IS NULL THEN owner.payable_from ELSE referrer.payable_from END AS payable_from,
  CASE WHEN referrer.id IS NULL THEN owner.awaits_release ELSE referrer.awaits_release END AS awaits_release,
  CASE WHEN referrer.id IS NULL THEN owner.changed_by_id ELSE referrer.changed_by_id END AS changed_by_id,
  CASE WHEN referrer.id IS NULL THEN owner.owner_word END AS owner_word) a
GROUP BY y.community_id, y.recipient_type, y.address, y.reason, a.id, a.payable_from, a.awaits_release, a.changed_by_id,
a.is_of_referrer, a.owner_word
ORDER BY sum(y.units) DESC, y.recipient_type, y.address, y.reason, a.id, y.community_id;

-- For staff of three providers: the pending shares of a community.
WITH stuck AS MATERIALIZED (
  SELECT t.id AS trader_id, 'not_checked' AS reason FROM trader t WHERE t.books_opened_at IS NULL
  UNION ALL SELECT w.owner_id, 'deposit_frozen' FROM chain_wallet w
  WHERE w.chain_id = $1 AND w.role = 'deposit' AND w.frozen_because IS NOT NULL),
held AS MATERIALIZED (
  SELECT y.id, max(s.reason) AS reason
  FROM stuck s JOIN invoice i ON i.trader_id = s.trader_id JOIN payable y ON y.invoice_id = i.id
  LEFT JOIN transfer c ON c.id = y.consolidation_id
  WHERE y.payout_id IS NULL AND y.settled_at IS NULL
  AND y.community_id = ANY ($2::uuid[]) AND c.state IS DISTINCT FROM 'final'
  GROUP BY y.id),
changed AS MATERIALIZED (
  SELECT a.id, a.owner_kind, a.owner_id, coalesce((SELECT s.owner_id::text
      FROM identity.service_token s WHERE s.id::text = "a"."changed_by_id"),
    "a"."changed_by_id") AS changed_by_id, a.released_at IS NULL AS awaits_release,
  app.iso("a"."changed_at" + make_interval(hours => $3::int)) AS payable_from, (SELECT jsonb_build_object('kind', w.kind, 'read_at', app.iso(w.read_at))
    FROM payout_address_word w WHERE w.change_id = "a"."id") AS owner_word
  FROM payout_address_change a WHERE app.is_held("a"."released_at", "a"."changed_at",
    make_interval(hours => $4::int))),
added AS MATERIALIZED (
  SELECT y.community_id, y.recipient_type, y.provider_id, y.recipient_address, h.reason,
  CASE WHEN y.recipient_type = 'trader_referrer' THEN
  (SELECT i.trader_id FROM invoice i WHERE i.id = y.invoice_id) END AS trader_id,
  sum(y.amount_units) AS units, count(*) AS n, min(y.created_at) AS oldest_at
  FROM payable y LEFT JOIN held h ON h.id = y.id
  WHERE y.payout_id IS NULL AND y.settled_at IS NULL
  AND y.community_id = ANY ($5::uuid[])
  AND true
  AND EXISTS (SELECT FROM community_provider linked WHERE linked.community_id = "y"."community_id"
    AND linked.provider_id = ANY ($6::uuid[]))
  GROUP BY 1, 2, 3, 4, 5, 6),
share AS (
  SELECT y.*, lower(coalesce(CASE y.recipient_type
      WHEN 'mark' THEN p.payout_address
      WHEN 'community' THEN c.external_wallet_address
      WHEN 'community_referrer' THEN c.referrer_wallet_address
      WHEN 'trader_referrer' THEN referrer.address
      ELSE platform.address END, y.recipient_address)) AS address,
  CASE y.recipient_type WHEN 'mark' THEN 'provider' WHEN 'community' THEN 'community'
  WHEN 'community_referrer' THEN 'community_referrer' WHEN 'trader_referrer' THEN 'trader'
  ELSE 'platform' END AS owner_kind,
  CASE y.recipient_type WHEN 'mark' THEN y.provider_id::text WHEN 'community' THEN y.community_id::text
  WHEN 'community_referrer' THEN y.community_id::text WHEN 'trader_referrer' THEN referrer.id::text
  ELSE y.recipient_type END AS owner_id, referrer.referred_id
  FROM added y
  JOIN community c ON c.id = y.community_id
  LEFT JOIN provider p ON p.id = y.provider_id
  LEFT JOIN platform_recipient platform ON platform.recipient_type = y.recipient_type
  LEFT JOIN LATERAL (
    SELECT r.id, t.id::text AS referred_id, r.external_wallet_address AS address FROM (SELECT * FROM trader t WHERE t.id = y.trader_id) t
    JOIN trader r ON r.id = t.referred_by_trader_id) referrer ON y.recipient_type = 'trader_referrer')
SELECT y.community_id, y.recipient_type, y.address, sum(y.units)::text AS units, sum(y.n)::int AS count,
y.reason AS hold, a.id AS change_id, a.payable_from, a.awaits_release, a.changed_by_id, a.is_of_referrer,
a.owner_word
FROM share y
LEFT JOIN changed owner ON owner.owner_kind = y.owner_kind AND owner.owner_id = y.owner_id
LEFT JOIN changed referrer ON referrer.owner_kind = 'trader_referrer' AND referrer.owner_id = y.referred_id
-- Who gets a share is decided before where it goes.
CROSS JOIN LATERAL (SELECT coalesce(referrer.id, owner.id) AS id, referrer.id IS NOT NULL AS is_of_referrer,
  CASE WHEN referrer.id IS NULL THEN owner.payable_from ELSE referrer.payable_from END AS payable_from,
  CASE WHEN referrer.id IS NULL THEN owner.awaits_release ELSE referrer.awaits_release END AS awaits_release,
  CASE WHEN referrer.id IS NULL THEN owner.changed_by_id ELSE referrer.changed_by_id END AS changed_by_id,
  CASE WHEN referrer.id IS NULL THEN owner.owner_word END AS owner_word) a
GROUP BY y.community_id, y.recipient_type, y.address, y.reason, a.id, a.payable_from, a.awaits_release, a.changed_by_id,
a.is_of_referrer, a.owner_word
ORDER BY sum(y.units) DESC, y.recipient_type, y.address, y.reason, a.id, y.community_id;
