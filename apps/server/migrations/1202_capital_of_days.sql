-- The AUM of a day is equity and pool capital, as the AUM of now is. Capital is kept by the providers that see its
-- traders: staff of any of them count it, and count it once.
CREATE TABLE community_capital_day (
  community_id uuid NOT NULL REFERENCES community (id) ON DELETE CASCADE,
  day date NOT NULL,
  provider_ids uuid[] NOT NULL,
  capital numeric(28,8) NOT NULL,
  PRIMARY KEY (community_id, day, provider_ids)
);
COMMENT ON TABLE community_capital_day IS
  'Pool capital of a community''s traders at the end of a day (UTC), USD, by the providers that see them. Written by app.sum_capital_days.';
COMMENT ON COLUMN community_capital_day.provider_ids IS 'In order. Empty: traders that no provider sees.';
GRANT SELECT ON community_capital_day TO copydesk_app;
ALTER TABLE community_capital_day ENABLE ROW LEVEL SECURITY;
ALTER TABLE community_capital_day FORCE ROW LEVEL SECURITY;
CREATE POLICY community_capital_day_scope ON community_capital_day FOR ALL
  USING ((SELECT app.sees_all()) OR provider_ids && (SELECT app.provider_ids()))
  WITH CHECK ((SELECT app.sees_all()));

CREATE FUNCTION app.sum_capital_days(first date) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
  today date := app.utc_day(now());
BEGIN
  DELETE FROM community_capital_day WHERE day BETWEEN first AND today;
  -- The capital of now, less what came after the end of the day.
  INSERT INTO community_capital_day (community_id, day, provider_ids, capital)
  WITH later AS MATERIALIZED (
    SELECT a.owner_id AS member_id, app.utc_day(j.created_at) AS day, sum(-p.amount) AS units
    FROM journal j JOIN posting p ON p.journal_id = j.id JOIN ledger_account a ON a.id = p.account_id
    WHERE j.created_at >= (first + 1)::timestamp AT TIME ZONE 'UTC' AND a.kind = 'pool_capital' GROUP BY 1, 2),
  members AS MATERIALIZED (
    SELECT m.id, t.community_id, m.capital_units, ARRAY(SELECT p.provider_id FROM trader_provider p
      WHERE p.trader_id = t.id ORDER BY 1) AS provider_ids
    FROM pool_member m JOIN trader t ON t.id = m.trader_id),
  changes AS (
    SELECT m.community_id, m.provider_ids, l.day, sum(l.units) AS units FROM later l JOIN members m ON m.id = l.member_id
    GROUP BY 1, 2, 3),
  sums AS (
    SELECT community_id, provider_ids, sum(capital_units) AS units FROM members GROUP BY 1, 2)
  SELECT s.community_id, s.day, s.provider_ids, trunc(s.units * 0.000000000000000001, 8)
  FROM (SELECT s.community_id, s.provider_ids, g::date AS day, s.units - coalesce((SELECT sum(c.units) FROM changes c
          WHERE (c.community_id, c.provider_ids) = (s.community_id, s.provider_ids) AND c.day > g::date), 0) AS units
        FROM sums s CROSS JOIN generate_series(first, today, interval '1 day') g) s
  WHERE s.units >= 10000000000;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;
COMMENT ON FUNCTION app.sum_capital_days(date) IS
  'Writes community_capital_day from a day to today, from the ledger, by the providers that see the traders now.';
GRANT EXECUTE ON FUNCTION app.sum_capital_days(date) TO copydesk_worker;

SELECT app.sum_capital_days(coalesce((SELECT app.utc_day(min(created_at)) FROM pool_member), app.utc_day(now())));
