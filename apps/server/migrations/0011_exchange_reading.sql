-- Reading the exchanges: which account is due, who reads it, how far its closed positions are known; and the sums
-- by day that history, PnL calendar and net profit are shown from.

SELECT set_config('copydesk.scope', 'all', true), set_config('copydesk.bulk', 'on', true);

-- An account that was removed stays as long as positions refer to it, without credentials and out of every sum.
ALTER TABLE exchange_account ADD COLUMN connected_at timestamptz NOT NULL DEFAULT now();
ALTER TABLE exchange_account ADD COLUMN removed_at timestamptz;
UPDATE exchange_account SET connected_at = created_at;
ALTER TABLE exchange_account DROP CONSTRAINT exchange_account_exchange_acc_uid_key;
CREATE UNIQUE INDEX exchange_account_once ON exchange_account (exchange, acc_uid) WHERE removed_at IS NULL;

-- A venue may hold two positions of one symbol and side (cross and isolated margin): they are replaced as a whole.
ALTER TABLE open_position DROP CONSTRAINT open_position_account_id_symbol_side_key;
CREATE INDEX open_position_by_account ON open_position (account_id);

CREATE TABLE account_reading (
  account_id uuid PRIMARY KEY REFERENCES exchange_account ON DELETE CASCADE,
  provider_id uuid NOT NULL REFERENCES provider,
  exchange text NOT NULL CHECK (exchange IN ('bybit', 'binance', 'okx', 'kucoin', 'hyperliquid')),
  due_at timestamptz NOT NULL DEFAULT now(),
  -- Somebody waits for this account: it goes before the others. Cleared by the read that answers it.
  requested_at timestamptz,
  -- When the last request was made and how the read after it ended; what a refresh shows as progress.
  refresh_started_at timestamptz,
  refresh_failed boolean NOT NULL DEFAULT false,
  -- Until when a worker has it to itself; due_at moves there too, so that an account whose worker died is due again
  -- by itself. The number fences late writes of that worker off.
  leased_until timestamptz,
  lease_number bigint NOT NULL DEFAULT 0,
  finished_at timestamptz,
  failures integer NOT NULL DEFAULT 0,
  -- Every position closed before this is known.
  closed_known_to timestamptz,
  closed_read_at timestamptz,
  -- When the last days were last gone through again, for positions that an exchange reports late.
  closed_rescanned_at timestamptz,
  -- A range that is read in several turns, and where the next turn goes on.
  closed_since timestamptz,
  closed_until timestamptz,
  closed_cursor text,
  closed_is_rescan boolean NOT NULL DEFAULT false,
  CHECK ((closed_since IS NULL) = (closed_until IS NULL)),
  CHECK (closed_cursor IS NULL OR closed_until IS NOT NULL)
);
CREATE INDEX account_reading_due ON account_reading (exchange, due_at);
CREATE INDEX account_reading_requested ON account_reading (exchange, requested_at) WHERE requested_at IS NOT NULL;
CREATE INDEX account_reading_by_provider ON account_reading (provider_id);
ALTER TABLE account_reading ENABLE ROW LEVEL SECURITY;
ALTER TABLE account_reading FORCE ROW LEVEL SECURITY;
CREATE POLICY account_reading_scope ON account_reading
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]));
INSERT INTO account_reading (account_id, provider_id, exchange)
SELECT id, provider_id, exchange FROM exchange_account;

-- Wakes the workers, so that a refresh does not wait for their next look.
CREATE FUNCTION app.announce_reading_request() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('copydesk_reading', NEW.exchange);
  RETURN NULL;
END
$$;
CREATE TRIGGER reading_requested AFTER INSERT OR UPDATE OF requested_at ON account_reading
  FOR EACH ROW WHEN (NEW.requested_at IS NOT NULL) EXECUTE FUNCTION app.announce_reading_request();

-- Closed positions by account and day (UTC), kept by triggers.
CREATE TABLE closed_position_day (
  account_id uuid NOT NULL REFERENCES exchange_account ON DELETE RESTRICT,
  day date NOT NULL,
  trader_id uuid NOT NULL REFERENCES trader ON DELETE RESTRICT,
  provider_id uuid NOT NULL REFERENCES provider,
  positions integer NOT NULL,
  closed_pnl numeric NOT NULL,
  PRIMARY KEY (account_id, day)
);
CREATE INDEX closed_position_day_by_trader ON closed_position_day (trader_id, day);
CREATE INDEX closed_position_day_by_provider ON closed_position_day (provider_id, day);
ALTER TABLE closed_position_day ENABLE ROW LEVEL SECURITY;
ALTER TABLE closed_position_day FORCE ROW LEVEL SECURITY;
CREATE POLICY closed_position_day_scope ON closed_position_day
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]));

CREATE FUNCTION app.utc_day(at timestamptz) RETURNS date
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (at AT TIME ZONE 'UTC')::date;

-- Adds up what a statement changed. An update that leaves day and profit alone (invoicing) adds nothing.
CREATE FUNCTION app.sum_closed_positions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    INSERT INTO closed_position_day AS d (account_id, day, trader_id, provider_id, positions, closed_pnl)
    SELECT account_id, app.utc_day(closed_at), trader_id, provider_id, count(*), sum(coalesce(closed_pnl, 0))
    FROM added GROUP BY 1, 2, 3, 4
    ON CONFLICT (account_id, day) DO UPDATE
    SET positions = d.positions + excluded.positions, closed_pnl = d.closed_pnl + excluded.closed_pnl;
  ELSIF TG_OP = 'DELETE' THEN
    UPDATE closed_position_day d
    SET positions = d.positions - r.positions, closed_pnl = d.closed_pnl - r.closed_pnl
    FROM (SELECT account_id, app.utc_day(closed_at) AS day, count(*)::int AS positions,
            sum(coalesce(closed_pnl, 0)) AS closed_pnl
          FROM taken GROUP BY 1, 2) r
    WHERE d.account_id = r.account_id AND d.day = r.day;
  ELSE
    INSERT INTO closed_position_day AS d (account_id, day, trader_id, provider_id, positions, closed_pnl)
    SELECT account_id, day, trader_id, provider_id, sum(n)::int, sum(pnl)
    FROM (
      SELECT a.account_id, app.utc_day(a.closed_at) AS day, a.trader_id, a.provider_id, 1 AS n,
        coalesce(a.closed_pnl, 0) AS pnl
      FROM added a JOIN taken t USING (id)
      WHERE (a.closed_pnl, a.closed_at) IS DISTINCT FROM (t.closed_pnl, t.closed_at)
      UNION ALL
      SELECT t.account_id, app.utc_day(t.closed_at), t.trader_id, t.provider_id, -1, -coalesce(t.closed_pnl, 0)
      FROM added a JOIN taken t USING (id)
      WHERE (a.closed_pnl, a.closed_at) IS DISTINCT FROM (t.closed_pnl, t.closed_at)) moved
    GROUP BY 1, 2, 3, 4
    ON CONFLICT (account_id, day) DO UPDATE
    SET positions = d.positions + excluded.positions, closed_pnl = d.closed_pnl + excluded.closed_pnl;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER closed_positions_added AFTER INSERT ON closed_position
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.sum_closed_positions();
CREATE TRIGGER closed_positions_changed AFTER UPDATE ON closed_position
  REFERENCING OLD TABLE AS taken NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.sum_closed_positions();
CREATE TRIGGER closed_positions_taken AFTER DELETE ON closed_position
  REFERENCING OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION app.sum_closed_positions();
INSERT INTO closed_position_day (account_id, day, trader_id, provider_id, positions, closed_pnl)
SELECT account_id, app.utc_day(closed_at), trader_id, provider_id, count(*), sum(coalesce(closed_pnl, 0))
FROM closed_position GROUP BY 1, 2, 3, 4;

-- History of one trader in the other orders that its table offers.
CREATE INDEX closed_position_by_pnl ON closed_position (trader_id, closed_pnl, id);
CREATE INDEX closed_position_by_symbol ON closed_position (trader_id, symbol, closed_at, id);

-- What a community pays us for; written by the billing integration. No row: it never subscribed.
CREATE TABLE community_subscription (
  community_id uuid PRIMARY KEY REFERENCES community ON DELETE CASCADE,
  interval text NOT NULL CHECK (interval IN ('monthly', 'yearly')),
  current_period_end timestamptz NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE community_subscription ENABLE ROW LEVEL SECURITY;
ALTER TABLE community_subscription FORCE ROW LEVEL SECURITY;
CREATE POLICY community_subscription_scope ON community_subscription
  USING ((SELECT app.sees_all()) OR EXISTS (
    SELECT FROM community_provider cp WHERE cp.community_id = community_subscription.community_id
      AND cp.provider_id = ANY ((SELECT app.provider_ids())::uuid[])))
  WITH CHECK ((SELECT app.sees_all()));

-- When the demo world was made and how large: its simulators tell the story on from there. Empty elsewhere.
CREATE TABLE demo_world (
  seeded_at timestamptz NOT NULL,
  traders integer NOT NULL
);

-- An account that was removed and has no positions goes with its trader; one that has keeps the trader.
CREATE OR REPLACE FUNCTION app.trader_removed() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO change_event (topic, entity_id, provider_ids)
  VALUES ('trader', OLD.id, ARRAY(SELECT provider_id FROM trader_provider WHERE trader_id = OLD.id));
  DELETE FROM closed_position_day d
  USING exchange_account a
  WHERE a.id = d.account_id AND a.trader_id = OLD.id AND a.removed_at IS NOT NULL
    AND NOT EXISTS (SELECT FROM closed_position c WHERE c.account_id = a.id);
  DELETE FROM exchange_account a
  WHERE a.trader_id = OLD.id AND a.removed_at IS NOT NULL
    AND NOT EXISTS (SELECT FROM closed_position c WHERE c.account_id = a.id);
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN OLD;
END
$$;

-- As before, without the accounts that were removed.
CREATE OR REPLACE FUNCTION app.refresh_traders(trader_ids uuid[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
  seen_before jsonb;
BEGIN
  PERFORM FROM trader WHERE id = ANY (trader_ids) ORDER BY id FOR NO KEY UPDATE;
  SELECT jsonb_object_agg(s.trader_id, s.providers) INTO seen_before
  FROM (SELECT trader_id, jsonb_agg(provider_id) AS providers
        FROM trader_provider WHERE trader_id = ANY (trader_ids) GROUP BY trader_id) s;

  UPDATE trader t
  SET aum = s.aum, aum_read_at = s.read_at, account_count = s.accounts
  FROM (SELECT w.id, sum(a.equity) AS aum, min(a.equity_read_at) AS read_at, count(a.id)::int AS accounts
        FROM unnest(trader_ids) w (id)
        LEFT JOIN exchange_account a ON a.trader_id = w.id AND a.removed_at IS NULL GROUP BY w.id) s
  WHERE t.id = s.id
    AND (t.aum, t.aum_read_at, t.account_count) IS DISTINCT FROM (s.aum, s.read_at, s.accounts);

  DELETE FROM trader_provider tp
  USING trader t
  WHERE tp.trader_id = ANY (trader_ids) AND t.id = tp.trader_id
    AND t.selected_provider_id IS DISTINCT FROM tp.provider_id
    AND NOT EXISTS (SELECT FROM exchange_account a
                    WHERE a.trader_id = tp.trader_id AND a.provider_id = tp.provider_id AND a.removed_at IS NULL);

  INSERT INTO trader_provider AS tp (trader_id, provider_id, account_count, aum, aum_read_at, tab, is_shared)
  SELECT t.id, p.provider_id, count(a.id), sum(a.equity), min(a.equity_read_at),
         CASE WHEN t.status <> 'pending' THEN t.status WHEN count(a.id) > 0 THEN 'inbox' END,
         count(*) OVER (PARTITION BY t.id) > 1
  FROM trader t
  CROSS JOIN LATERAL (
    SELECT t.selected_provider_id AS provider_id WHERE t.selected_provider_id IS NOT NULL
    UNION SELECT ea.provider_id FROM exchange_account ea WHERE ea.trader_id = t.id AND ea.removed_at IS NULL) p
  LEFT JOIN exchange_account a
    ON a.trader_id = t.id AND a.provider_id = p.provider_id AND a.removed_at IS NULL
  WHERE t.id = ANY (trader_ids)
  GROUP BY t.id, p.provider_id
  ON CONFLICT (trader_id, provider_id) DO UPDATE
  SET account_count = excluded.account_count, aum = excluded.aum,
      aum_read_at = excluded.aum_read_at, tab = excluded.tab, is_shared = excluded.is_shared
  WHERE (tp.account_count, tp.aum, tp.aum_read_at, tp.tab, tp.is_shared) IS DISTINCT FROM
    (excluded.account_count, excluded.aum, excluded.aum_read_at, excluded.tab, excluded.is_shared);

  INSERT INTO change_event (topic, entity_id, provider_ids)
  SELECT 'trader', w.id, ARRAY(
    SELECT provider_id FROM trader_provider WHERE trader_id = w.id
    UNION SELECT p::uuid FROM jsonb_array_elements_text(seen_before -> w.id::text) p)
  FROM unnest(trader_ids) w (id);
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;
