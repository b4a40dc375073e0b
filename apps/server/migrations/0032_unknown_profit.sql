-- A closed position may have a profit that is not known in USD: its currency or the price to convert it at is missing.
-- It counts as a position, adds nothing to a sum, is invoiced only once its profit is known, and every sum says how
-- many it leaves out.

SELECT set_config('copydesk.scope', 'all', true), set_config('copydesk.bulk', 'on', true);

ALTER TABLE closed_position_day ADD COLUMN unknown_profit integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN closed_position_day.unknown_profit IS 'Positions of the day that closed_pnl leaves out';
UPDATE closed_position_day d SET unknown_profit = c.positions
FROM (SELECT account_id, app.utc_day(closed_at) AS day, count(*)::int AS positions
      FROM closed_position WHERE closed_pnl IS NULL GROUP BY 1, 2) c
WHERE d.account_id = c.account_id AND d.day = c.day;

-- As before, with the positions of unknown profit counted.
CREATE OR REPLACE FUNCTION app.sum_closed_positions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    INSERT INTO closed_position_day AS d
      (account_id, day, trader_id, provider_id, positions, closed_pnl, unknown_profit)
    SELECT account_id, app.utc_day(closed_at), trader_id, provider_id, count(*), sum(coalesce(closed_pnl, 0)),
      count(*) FILTER (WHERE closed_pnl IS NULL)
    FROM added GROUP BY 1, 2, 3, 4
    ON CONFLICT (account_id, day) DO UPDATE
    SET positions = d.positions + excluded.positions, closed_pnl = d.closed_pnl + excluded.closed_pnl,
      unknown_profit = d.unknown_profit + excluded.unknown_profit;
  ELSIF TG_OP = 'DELETE' THEN
    UPDATE closed_position_day d
    SET positions = d.positions - r.positions, closed_pnl = d.closed_pnl - r.closed_pnl,
      unknown_profit = d.unknown_profit - r.unknown_profit
    FROM (SELECT account_id, app.utc_day(closed_at) AS day, count(*)::int AS positions,
            sum(coalesce(closed_pnl, 0)) AS closed_pnl,
            (count(*) FILTER (WHERE closed_pnl IS NULL))::int AS unknown_profit
          FROM taken GROUP BY 1, 2) r
    WHERE d.account_id = r.account_id AND d.day = r.day;
  ELSE
    INSERT INTO closed_position_day AS d
      (account_id, day, trader_id, provider_id, positions, closed_pnl, unknown_profit)
    SELECT account_id, day, trader_id, provider_id, sum(n)::int, sum(pnl), sum(unknown)::int
    FROM (
      SELECT a.account_id, app.utc_day(a.closed_at) AS day, a.trader_id, a.provider_id, 1 AS n,
        coalesce(a.closed_pnl, 0) AS pnl, (a.closed_pnl IS NULL)::int AS unknown
      FROM added a JOIN taken t USING (id)
      WHERE (a.closed_pnl, a.closed_at) IS DISTINCT FROM (t.closed_pnl, t.closed_at)
      UNION ALL
      SELECT t.account_id, app.utc_day(t.closed_at), t.trader_id, t.provider_id, -1, -coalesce(t.closed_pnl, 0),
        -(t.closed_pnl IS NULL)::int
      FROM added a JOIN taken t USING (id)
      WHERE (a.closed_pnl, a.closed_at) IS DISTINCT FROM (t.closed_pnl, t.closed_at)) moved
    GROUP BY 1, 2, 3, 4
    ON CONFLICT (account_id, day) DO UPDATE
    SET positions = d.positions + excluded.positions, closed_pnl = d.closed_pnl + excluded.closed_pnl,
      unknown_profit = d.unknown_profit + excluded.unknown_profit;
  END IF;
  RETURN NULL;
END
$$;

-- What an invoicing run has to leave out.
CREATE INDEX closed_position_of_unknown_profit ON closed_position (trader_id)
  WHERE closed_pnl IS NULL AND invoice_id IS NULL;

ALTER TABLE invoicing_problem DROP CONSTRAINT invoicing_problem_reason_check;
ALTER TABLE invoicing_problem ADD CONSTRAINT invoicing_problem_reason_check
  CHECK (reason IN ('split_exceeds_invoice', 'no_deposit_address', 'failed', 'unknown_profit'));
