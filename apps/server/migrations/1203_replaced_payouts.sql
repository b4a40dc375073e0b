-- A payout that was ordered again is replaced: its debt is that of its successor, and counts once.
ALTER TABLE payout ADD COLUMN replaced_by_id uuid;
ALTER TABLE payout ADD CONSTRAINT payout_replaced_by_id_fkey FOREIGN KEY (replaced_by_id) REFERENCES payout (id) NOT VALID;
COMMENT ON COLUMN payout.replaced_by_id IS
  'The payout that has its shares now, if it was ordered again. NULL: it was not, or before this was recorded.';
GRANT UPDATE (replaced_by_id) ON payout TO copydesk_app;
COMMENT ON COLUMN payout_provider.status IS 'That of the payout, or replaced: its shares were ordered again.';

CREATE OR REPLACE FUNCTION app.refresh_payouts(payout_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
  cells jsonb;
BEGIN
  PERFORM FROM community WHERE id IN (SELECT community_id FROM payout WHERE id = ANY (payout_ids)
    UNION SELECT community_id FROM payout_provider WHERE payout_id = ANY (payout_ids)) ORDER BY id FOR NO KEY UPDATE;

  -- Where they were counted before and where they are counted from now on.
  SELECT coalesce(jsonb_agg(jsonb_build_object('community_id', c.community_id, 'recipient_type', c.recipient_type,
    'day', c.day)), '[]') INTO cells
  FROM (
    SELECT community_id, recipient_type, app.utc_day(created_at) AS day FROM payout_provider
    WHERE payout_id = ANY (payout_ids)
    UNION SELECT community_id, recipient_type, app.utc_day(created_at) FROM payout
    WHERE id = ANY (payout_ids)) c;

  DELETE FROM payout_provider WHERE payout_id = ANY (payout_ids);
  INSERT INTO payout_provider (payout_id, provider_id, provider_ids, community_id, recipient_type, status, amount_units,
    created_at)
  SELECT o.id, part.provider_id, CASE WHEN part.provider_id IS NULL THEN '{}' ELSE part.provider_ids END,
    o.community_id, o.recipient_type, CASE WHEN o.problem = 'sent_again' THEN 'replaced' ELSE o.status END,
    part.units, o.created_at
  FROM payout o
  CROSS JOIN LATERAL (
    SELECT NULL::uuid AS provider_id, NULL::uuid[] AS provider_ids, o.amount_units AS units
    UNION ALL
    SELECT y.provider_id, array_agg(y.provider_id) OVER (ORDER BY y.provider_id
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), sum(y.amount_units)
    FROM payable y WHERE y.payout_id = o.id AND y.provider_id IS NOT NULL GROUP BY y.provider_id) part
  WHERE o.id = ANY (payout_ids);

  DELETE FROM payout_sum s
  USING jsonb_to_recordset(cells) c (community_id uuid, recipient_type text, day date)
  WHERE s.community_id = c.community_id AND s.recipient_type = c.recipient_type AND s.grain = 'day' AND s.period = c.day;
  INSERT INTO payout_sum (grain, period, provider_id, provider_ids, community_id, recipient_type, status, payouts,
    amount_units, first_created, last_created)
  SELECT 'day', c.day, s.provider_id, s.provider_ids, c.community_id, c.recipient_type, s.status, s.payouts,
    s.units, s.first_created, s.last_created
  FROM jsonb_to_recordset(cells) c (community_id uuid, recipient_type text, day date)
  CROSS JOIN LATERAL (
    SELECT s.provider_id, s.provider_ids, s.status, count(*)::int AS payouts, sum(s.amount_units) AS units,
      min(s.created_at) AS first_created, max(s.created_at) AS last_created
    FROM payout_provider s
    WHERE s.community_id = c.community_id AND s.recipient_type = c.recipient_type
      AND s.created_at >= c.day::timestamp AT TIME ZONE 'UTC'
      AND s.created_at < (c.day + 1)::timestamp AT TIME ZONE 'UTC'
    GROUP BY s.provider_id, s.provider_ids, s.status) s;

  DELETE FROM payout_sum s
  USING jsonb_to_recordset(cells) c (community_id uuid, recipient_type text, day date)
  WHERE s.community_id = c.community_id AND s.recipient_type = c.recipient_type AND s.grain = 'month'
    AND s.period = date_trunc('month', c.day)::date;
  INSERT INTO payout_sum (grain, period, provider_id, provider_ids, community_id, recipient_type, status, payouts,
    amount_units, first_created, last_created)
  SELECT 'month', m.month, s.provider_id, s.provider_ids, m.community_id, m.recipient_type, s.status, s.payouts,
    s.units, s.first_created, s.last_created
  FROM (SELECT DISTINCT c.community_id, c.recipient_type, date_trunc('month', c.day)::date AS month
        FROM jsonb_to_recordset(cells) c (community_id uuid, recipient_type text, day date)) m
  CROSS JOIN LATERAL (
    SELECT s.provider_id, s.provider_ids, s.status, sum(s.payouts)::int AS payouts, sum(s.amount_units) AS units,
      min(s.first_created) AS first_created, max(s.last_created) AS last_created
    FROM payout_sum s
    WHERE s.community_id = m.community_id AND s.recipient_type = m.recipient_type AND s.grain = 'day'
      AND s.period >= m.month AND s.period < (m.month + interval '1 month')::date
    GROUP BY s.provider_id, s.provider_ids, s.status) s;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$function$;

SELECT app.refresh_payouts(ARRAY(SELECT id FROM payout WHERE problem = 'sent_again'));
