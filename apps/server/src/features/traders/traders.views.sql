-- Written by `npm run generate` from the views beside it. Do not edit.

-- For a super admin: a page of the inbox by AUM.
WITH
page AS MATERIALIZED (
  SELECT id, "key_1", "key_2", row_number() OVER () AS position
  FROM (SELECT * FROM (SELECT seen.id,  "seen"."aum_rank" AS "key_1", "seen"."id" AS "key_2" FROM (SELECT id, aum, aum_rank, aum_read_at, tab, community_id, account_count,
        reference_sort, handle_sort, created_at FROM trader) seen WHERE seen.tab = $1 ORDER BY "seen"."aum_rank" DESC, "seen"."id" ASC LIMIT 50) reached
    OFFSET $2 LIMIT 50) found)
, accounts AS MATERIALIZED (SELECT * FROM (
    SELECT trader_id, json_agg(row_to_json(account) ORDER BY "p"."display_name" COLLATE app.names, a.exchange, a.acc_uid) AS list
    FROM exchange_account a JOIN provider p ON p.id = a.provider_id
    CROSS JOIN LATERAL (SELECT a.exchange, a.acc_uid, a.provider_id, p.display_name AS provider_name,
      a.equity::text, app.iso(a.equity_read_at) AS equity_read_at ) account
    WHERE a.trader_id IN (SELECT id FROM page) AND a.removed_at IS NULL AND true
    GROUP BY trader_id) of_page)
SELECT string_agg(row_to_json(r)::text, ',' ORDER BY position) AS part,
(SELECT count(*)::int FROM page) AS rows, (SELECT ARRAY["key_1"::text, "key_2"::text] FROM page ORDER BY position DESC LIMIT 1) AS last
FROM page
CROSS JOIN LATERAL (SELECT * FROM trader t WHERE t.id = page.id OFFSET 0) t
CROSS JOIN LATERAL (SELECT t.aum, t.aum_read_at, t.pool_capital) seen
LEFT JOIN app.trader_marks(ARRAY(SELECT id FROM page)) marks ON marks.trader_id = t.id
LEFT JOIN accounts ON accounts.trader_id = t.id
CROSS JOIN LATERAL (SELECT
  t.id, t.status, t.name, t.email, t.telegram_username, t.telegram_user_id, t.language, t.selected_provider_id,
  t.reference_number, t.community_id, t.external_wallet_address, t.last_updated_by,
  app.iso(t.created_at) AS created_at, app.iso(t.updated_at) AS updated_at, CASE
  WHEN t.suggested_delinquent_at IS NOT NULL AND t.status <> 'delinquent' AND EXISTS (
    SELECT FROM invoice i WHERE i.trader_id = t.id AND i.status = 'pending' AND NOT i.is_archived
    AND i.harvest_cycle_id IS NULL AND i.due_at < now() AND true)
  THEN app.iso(t.suggested_delinquent_at) END AS suggested_delinquent_at, seen.aum, app.iso(seen.aum_read_at) AS aum_read_at, coalesce(marks.is_part, false) AS aum_is_part,
  trim_scale(seen.pool_capital)::text AS aum_pool_capital, (SELECT count(*)::int FROM exchange_account x WHERE x.trader_id = t.id
    AND x.removed_at IS NULL AND x.equity IS NULL AND true) AS aum_unread_accounts,
  marks.below_minimum AS below_minimum_balance, coalesce(accounts.list, '[]') AS exchanges) r
GROUP BY (position - 1) / 50 ORDER BY (position - 1) / 50;

-- For staff of one provider: a page of the inbox by AUM.
WITH
page AS MATERIALIZED (
  SELECT id, "key_1", "key_2", row_number() OVER () AS position
  FROM (SELECT * FROM (SELECT seen.id,  "seen"."aum_rank" AS "key_1", "seen"."id" AS "key_2" FROM (SELECT s.trader_id AS id, s.aum, s.aum_rank, s.aum_read_at, s.tab, s.community_id,
        s.account_count, s.reference_sort, s.handle_sort, s.created_at FROM trader_provider s WHERE "s"."provider_id" = $1::uuid) seen WHERE seen.tab = $2 ORDER BY "seen"."aum_rank" DESC, "seen"."id" ASC LIMIT 50) reached
    OFFSET $3 LIMIT 50) found)
, accounts AS MATERIALIZED (SELECT * FROM (
    SELECT trader_id, json_agg(row_to_json(account) ORDER BY "p"."display_name" COLLATE app.names, a.exchange, a.acc_uid) AS list
    FROM exchange_account a JOIN provider p ON p.id = a.provider_id
    CROSS JOIN LATERAL (SELECT a.exchange, a.acc_uid, a.provider_id, p.display_name AS provider_name,
      a.equity::text, app.iso(a.equity_read_at) AS equity_read_at ) account
    WHERE a.trader_id IN (SELECT id FROM page) AND a.removed_at IS NULL AND "p"."id" = $4::uuid
    GROUP BY trader_id) of_page)
SELECT string_agg(row_to_json(r)::text, ',' ORDER BY position) AS part,
(SELECT count(*)::int FROM page) AS rows, (SELECT ARRAY["key_1"::text, "key_2"::text] FROM page ORDER BY position DESC LIMIT 1) AS last
FROM page
CROSS JOIN LATERAL (SELECT * FROM trader t WHERE t.id = page.id OFFSET 0) t
CROSS JOIN LATERAL (SELECT sum(s.aum - s.pool_capital) + max(s.pool_capital) AS aum, min(s.aum_read_at) AS aum_read_at, max(s.pool_capital) AS pool_capital
  FROM trader_provider s WHERE s.trader_id = t.id AND "s"."provider_id" = $5::uuid) seen
LEFT JOIN app.trader_marks(ARRAY(SELECT id FROM page)) marks ON marks.trader_id = t.id
LEFT JOIN accounts ON accounts.trader_id = t.id
CROSS JOIN LATERAL (SELECT
  t.id, t.status, t.name, t.email, t.telegram_username, t.telegram_user_id, t.language, t.selected_provider_id,
  t.reference_number, t.community_id, t.external_wallet_address, t.last_updated_by,
  app.iso(t.created_at) AS created_at, app.iso(t.updated_at) AS updated_at, CASE
  WHEN t.suggested_delinquent_at IS NOT NULL AND t.status <> 'delinquent' AND EXISTS (
    SELECT FROM invoice i WHERE i.trader_id = t.id AND i.status = 'pending' AND NOT i.is_archived
    AND i.harvest_cycle_id IS NULL AND i.due_at < now() AND "i"."provider_id" = $6::uuid)
  THEN app.iso(t.suggested_delinquent_at) END AS suggested_delinquent_at, seen.aum, app.iso(seen.aum_read_at) AS aum_read_at, coalesce(marks.is_part, false) AS aum_is_part,
  trim_scale(seen.pool_capital)::text AS aum_pool_capital, (SELECT count(*)::int FROM exchange_account x WHERE x.trader_id = t.id
    AND x.removed_at IS NULL AND x.equity IS NULL AND "x"."provider_id" = $7::uuid) AS aum_unread_accounts,
  marks.below_minimum AS below_minimum_balance, coalesce(accounts.list, '[]') AS exchanges) r
GROUP BY (position - 1) / 50 ORDER BY (position - 1) / 50;

-- For staff of three providers: a page of the inbox by AUM.
WITH
page AS MATERIALIZED (
  SELECT id, "key_1", "key_2", row_number() OVER () AS position
  FROM (SELECT * FROM (SELECT * FROM ((SELECT seen.id,  "seen"."aum_rank" AS "key_1", "seen"."id" AS "key_2" FROM (SELECT s.trader_id AS id, s.aum, s.aum_rank, s.aum_read_at, s.tab, s.community_id,
            s.account_count, s.reference_sort, s.handle_sort, s.created_at FROM trader_provider s WHERE NOT s.is_shared AND s.provider_id = $1::uuid) seen WHERE seen.tab = $2 ORDER BY "seen"."aum_rank" DESC, "seen"."id" ASC LIMIT 50) UNION ALL (SELECT seen.id,  "seen"."aum_rank" AS "key_1", "seen"."id" AS "key_2" FROM (SELECT s.trader_id AS id, s.aum, s.aum_rank, s.aum_read_at, s.tab, s.community_id,
            s.account_count, s.reference_sort, s.handle_sort, s.created_at FROM trader_provider s WHERE NOT s.is_shared AND s.provider_id = $3::uuid) seen WHERE seen.tab = $4 ORDER BY "seen"."aum_rank" DESC, "seen"."id" ASC LIMIT 50) UNION ALL (SELECT seen.id,  "seen"."aum_rank" AS "key_1", "seen"."id" AS "key_2" FROM (SELECT s.trader_id AS id, s.aum, s.aum_rank, s.aum_read_at, s.tab, s.community_id,
            s.account_count, s.reference_sort, s.handle_sort, s.created_at FROM trader_provider s WHERE NOT s.is_shared AND s.provider_id = $5::uuid) seen WHERE seen.tab = $6 ORDER BY "seen"."aum_rank" DESC, "seen"."id" ASC LIMIT 50) UNION ALL (SELECT seen.id,  "seen"."aum_rank" AS "key_1", "seen"."id" AS "key_2" FROM (SELECT s.trader_id AS id, s.aum, s.aum_rank, s.aum_read_at, s.tab, s.community_id,
            s.account_count, s.reference_sort, s.handle_sort, s.created_at FROM trader_in_set s WHERE s.set_id = (SELECT app.provider_set())) seen WHERE seen.tab = $7 ORDER BY "seen"."aum_rank" DESC, "seen"."id" ASC LIMIT 50) UNION ALL (SELECT seen.id,  "seen"."aum_rank" AS "key_1", "seen"."id" AS "key_2" FROM (SELECT s.trader_id AS id, sum(s.aum - s.pool_capital) + max(s.pool_capital) AS aum,
            coalesce((sum(s.aum - s.pool_capital) + max(s.pool_capital))::float8, '-Infinity') AS aum_rank,
            min(s.aum_read_at) AS aum_read_at, max(s.tab) AS tab, (array_agg(s.community_id))[1] AS community_id,
            sum(s.account_count)::int AS account_count, min(s.reference_sort) AS reference_sort,
            min(s.handle_sort) AS handle_sort, min(s.created_at) AS created_at
            FROM trader_provider s
            WHERE (SELECT app.provider_set()) IS NULL AND s.is_shared AND "s"."provider_id" = ANY ($8::uuid[])
            GROUP BY s.trader_id) seen WHERE seen.tab = $9 ORDER BY "seen"."aum_rank" DESC, "seen"."id" ASC LIMIT 50)) seen ORDER BY "key_1" DESC, "key_2" ASC LIMIT 50) reached
    OFFSET $10 LIMIT 50) found)
, accounts AS MATERIALIZED (SELECT * FROM (
    SELECT trader_id, json_agg(row_to_json(account) ORDER BY "p"."display_name" COLLATE app.names, a.exchange, a.acc_uid) AS list
    FROM exchange_account a JOIN provider p ON p.id = a.provider_id
    CROSS JOIN LATERAL (SELECT a.exchange, a.acc_uid, a.provider_id, p.display_name AS provider_name,
      a.equity::text, app.iso(a.equity_read_at) AS equity_read_at ) account
    WHERE a.trader_id IN (SELECT id FROM page) AND a.removed_at IS NULL AND "p"."id" = ANY ($11::uuid[])
    GROUP BY trader_id) of_page)
SELECT string_agg(row_to_json(r)::text, ',' ORDER BY position) AS part,
(SELECT count(*)::int FROM page) AS rows, (SELECT ARRAY["key_1"::text, "key_2"::text] FROM page ORDER BY position DESC LIMIT 1) AS last
FROM page
CROSS JOIN LATERAL (SELECT * FROM trader t WHERE t.id = page.id OFFSET 0) t
CROSS JOIN LATERAL (SELECT sum(s.aum - s.pool_capital) + max(s.pool_capital) AS aum, min(s.aum_read_at) AS aum_read_at, max(s.pool_capital) AS pool_capital
  FROM trader_provider s WHERE s.trader_id = t.id AND "s"."provider_id" = ANY ($12::uuid[])) seen
LEFT JOIN app.trader_marks(ARRAY(SELECT id FROM page)) marks ON marks.trader_id = t.id
LEFT JOIN accounts ON accounts.trader_id = t.id
CROSS JOIN LATERAL (SELECT
  t.id, t.status, t.name, t.email, t.telegram_username, t.telegram_user_id, t.language, t.selected_provider_id,
  t.reference_number, t.community_id, t.external_wallet_address, t.last_updated_by,
  app.iso(t.created_at) AS created_at, app.iso(t.updated_at) AS updated_at, CASE
  WHEN t.suggested_delinquent_at IS NOT NULL AND t.status <> 'delinquent' AND EXISTS (
    SELECT FROM invoice i WHERE i.trader_id = t.id AND i.status = 'pending' AND NOT i.is_archived
    AND i.harvest_cycle_id IS NULL AND i.due_at < now() AND "i"."provider_id" = ANY ($13::uuid[]))
  THEN app.iso(t.suggested_delinquent_at) END AS suggested_delinquent_at, seen.aum, app.iso(seen.aum_read_at) AS aum_read_at, coalesce(marks.is_part, false) AS aum_is_part,
  trim_scale(seen.pool_capital)::text AS aum_pool_capital, (SELECT count(*)::int FROM exchange_account x WHERE x.trader_id = t.id
    AND x.removed_at IS NULL AND x.equity IS NULL AND "x"."provider_id" = ANY ($14::uuid[])) AS aum_unread_accounts,
  marks.below_minimum AS below_minimum_balance, coalesce(accounts.list, '[]') AS exchanges) r
GROUP BY (position - 1) / 50 ORDER BY (position - 1) / 50;

-- For a super admin: its counts.
SELECT coalesce(seen.tab, 'none') AS tab, count(*)::int AS count, coalesce(sum(seen.aum), 0)::text AS aum
FROM (SELECT id, aum, aum_rank, aum_read_at, tab, community_id, account_count,
  reference_sort, handle_sort, created_at FROM trader) seen
GROUP BY seen.tab;

-- For staff of one provider: its counts.
SELECT coalesce(seen.tab, 'none') AS tab, count(*)::int AS count, coalesce(sum(seen.aum), 0)::text AS aum
FROM (SELECT s.trader_id AS id, s.aum, s.aum_rank, s.aum_read_at, s.tab, s.community_id,
  s.account_count, s.reference_sort, s.handle_sort, s.created_at FROM trader_provider s WHERE "s"."provider_id" = $1::uuid) seen
GROUP BY seen.tab;

-- For staff of three providers: its counts.
SELECT coalesce(seen.tab, 'none') AS tab, count(*)::int AS count, coalesce(sum(seen.aum), 0)::text AS aum
FROM (SELECT s.trader_id AS id, s.aum, s.aum_rank, s.aum_read_at, s.tab, s.community_id,
  s.account_count, s.reference_sort, s.handle_sort, s.created_at FROM trader_provider s WHERE NOT s.is_shared AND s.provider_id = $1::uuid UNION ALL SELECT s.trader_id AS id, s.aum, s.aum_rank, s.aum_read_at, s.tab, s.community_id,
  s.account_count, s.reference_sort, s.handle_sort, s.created_at FROM trader_provider s WHERE NOT s.is_shared AND s.provider_id = $2::uuid UNION ALL SELECT s.trader_id AS id, s.aum, s.aum_rank, s.aum_read_at, s.tab, s.community_id,
  s.account_count, s.reference_sort, s.handle_sort, s.created_at FROM trader_provider s WHERE NOT s.is_shared AND s.provider_id = $3::uuid UNION ALL SELECT s.trader_id AS id, s.aum, s.aum_rank, s.aum_read_at, s.tab, s.community_id,
  s.account_count, s.reference_sort, s.handle_sort, s.created_at FROM trader_in_set s WHERE s.set_id = (SELECT app.provider_set()) UNION ALL SELECT s.trader_id AS id, sum(s.aum - s.pool_capital) + max(s.pool_capital) AS aum,
  coalesce((sum(s.aum - s.pool_capital) + max(s.pool_capital))::float8, '-Infinity') AS aum_rank,
  min(s.aum_read_at) AS aum_read_at, max(s.tab) AS tab, (array_agg(s.community_id))[1] AS community_id,
  sum(s.account_count)::int AS account_count, min(s.reference_sort) AS reference_sort,
  min(s.handle_sort) AS handle_sort, min(s.created_at) AS created_at
  FROM trader_provider s
  WHERE (SELECT app.provider_set()) IS NULL AND s.is_shared AND "s"."provider_id" = ANY ($4::uuid[])
  GROUP BY s.trader_id) seen
GROUP BY seen.tab;
