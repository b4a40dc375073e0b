-- Positions as read from the exchanges, and the runs that invoice them.

-- Wakes the workers, so that a refresh does not wait for their next look.
CREATE FUNCTION app.announce_reading_request() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('copydesk_reading', NEW.exchange);
  RETURN NULL;
END
$$;

CREATE TABLE account_reading (
  account_id uuid PRIMARY KEY REFERENCES exchange_account ON DELETE CASCADE,
  provider_id uuid NOT NULL REFERENCES provider,
  exchange text NOT NULL CHECK (exchange IN ('bybit', 'binance', 'okx', 'kucoin', 'hyperliquid')),
  due_at timestamptz NOT NULL DEFAULT now(),
  requested_at timestamptz,
  refresh_started_at timestamptz,
  refresh_failed boolean NOT NULL DEFAULT false,
  leased_until timestamptz,
  lease_number bigint NOT NULL DEFAULT 0,
  finished_at timestamptz,
  failures integer NOT NULL DEFAULT 0,
  closed_known_to timestamptz,
  closed_read_at timestamptz,
  closed_rescanned_at timestamptz,
  closed_since timestamptz,
  closed_until timestamptz,
  closed_cursor text,
  closed_is_rescan boolean NOT NULL DEFAULT false,
  CHECK ((closed_since IS NULL) = (closed_until IS NULL)),
  CHECK (closed_cursor IS NULL OR closed_until IS NOT NULL)
);
COMMENT ON TABLE account_reading IS
  'The state of reading an account: when it is due, the lease of the worker that reads it, and how far its closed '
  'positions are known.';
COMMENT ON COLUMN account_reading.requested_at IS
  'When a user asked for a refresh. Such an account is read before the others; the read clears the column.';
COMMENT ON COLUMN account_reading.refresh_started_at IS
  'When the last refresh was requested; with refresh_failed, its progress.';
COMMENT ON COLUMN account_reading.leased_until IS
  'End of a worker''s lease. due_at moves there too, so that an account whose worker died becomes due again.';
COMMENT ON COLUMN account_reading.lease_number IS 'Fences off late writes of a worker that lost its lease.';
COMMENT ON COLUMN account_reading.closed_known_to IS 'Every position closed before this is known.';
COMMENT ON COLUMN account_reading.closed_rescanned_at IS
  'When the last days were last read again, for positions that an exchange reports late.';
COMMENT ON COLUMN account_reading.closed_since IS
  'A range that takes several turns to read, with closed_until; closed_cursor is where the next turn continues.';
CREATE INDEX account_reading_due ON account_reading (exchange, due_at);
CREATE INDEX account_reading_requested ON account_reading (exchange, requested_at) WHERE requested_at IS NOT NULL;
CREATE INDEX account_reading_by_provider ON account_reading (provider_id);

ALTER TABLE account_reading ENABLE ROW LEVEL SECURITY;
ALTER TABLE account_reading FORCE ROW LEVEL SECURITY;
-- The policy of the account checks its trader.
CREATE POLICY account_reading_scope ON account_reading
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]))
  WITH CHECK ((SELECT app.sees_all()) OR (provider_id = ANY ((SELECT app.provider_ids())::uuid[])
    AND EXISTS (SELECT FROM exchange_account a WHERE a.id = account_reading.account_id)));

CREATE TRIGGER reading_requested AFTER INSERT OR UPDATE OF requested_at ON account_reading
  FOR EACH ROW WHEN (NEW.requested_at IS NOT NULL) EXECUTE FUNCTION app.announce_reading_request();

CREATE TABLE equity_snapshot (
  trader_id uuid NOT NULL REFERENCES trader ON DELETE CASCADE,
  provider_id uuid NOT NULL REFERENCES provider,
  day date NOT NULL,
  equity numeric(28, 8) NOT NULL,
  PRIMARY KEY (trader_id, provider_id, day)
);
COMMENT ON TABLE equity_snapshot IS
  'Equity at the end of a day (UTC) as each provider sees it. Figures of communities and providers are sums of '
  'these.';
CREATE INDEX equity_snapshot_by_provider ON equity_snapshot (provider_id, day);

ALTER TABLE equity_snapshot ENABLE ROW LEVEL SECURITY;
ALTER TABLE equity_snapshot FORCE ROW LEVEL SECURITY;
CREATE POLICY equity_snapshot_scope ON equity_snapshot
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]));

CREATE TABLE open_position (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES exchange_account ON DELETE CASCADE,
  trader_id uuid NOT NULL REFERENCES trader,
  provider_id uuid NOT NULL REFERENCES provider,
  symbol text NOT NULL,
  side text NOT NULL CHECK (side IN ('long', 'short')),
  entry_price numeric NOT NULL,
  mark_price numeric,
  leverage numeric,
  contracts numeric NOT NULL,
  unrealized_pnl numeric,
  opened_at timestamptz,
  read_at timestamptz NOT NULL
);
COMMENT ON TABLE open_position IS 'Open positions, as last read from the exchange.';
CREATE INDEX open_position_by_trader ON open_position (trader_id);
CREATE INDEX open_position_by_provider ON open_position (provider_id);
-- Not unique: a venue may hold two positions of one symbol and side (cross and isolated margin). A read replaces all of
-- an account.
CREATE INDEX open_position_by_account ON open_position (account_id);

ALTER TABLE open_position ENABLE ROW LEVEL SECURITY;
ALTER TABLE open_position FORCE ROW LEVEL SECURITY;
CREATE POLICY open_position_scope ON open_position
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]));

CREATE TABLE closed_position (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES exchange_account ON DELETE RESTRICT,
  trader_id uuid NOT NULL REFERENCES trader ON DELETE RESTRICT,
  provider_id uuid NOT NULL REFERENCES provider,
  venue_id text NOT NULL,
  symbol text NOT NULL,
  side text NOT NULL CHECK (side IN ('long', 'short')),
  entry_price numeric,
  exit_price numeric,
  leverage numeric,
  contracts numeric,
  closed_pnl numeric,
  fees_included boolean NOT NULL DEFAULT false,
  opened_at timestamptz,
  closed_at timestamptz NOT NULL,
  invoice_id uuid REFERENCES invoice ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (account_id, venue_id)
);
COMMENT ON TABLE closed_position IS 'Closed positions, as read from the exchanges.';
COMMENT ON COLUMN closed_position.venue_id IS
  'The exchange''s own id of the closed position: a second reading updates the row.';
COMMENT ON COLUMN closed_position.closed_pnl IS
  'Profit in USD. NULL: unknown, because its currency or the price to convert it at is missing. Such a position '
  'counts as a position, adds nothing to a sum, and is invoiced only once its profit is known; every sum reports '
  'how many it leaves out.';
COMMENT ON COLUMN closed_position.invoice_id IS 'A position is invoiced once, permanently.';
CREATE INDEX closed_position_by_trader ON closed_position (trader_id, closed_at DESC, id);
CREATE INDEX closed_position_by_provider ON closed_position (provider_id, closed_at DESC);
CREATE INDEX closed_position_by_invoice ON closed_position (invoice_id) WHERE invoice_id IS NOT NULL;
CREATE INDEX closed_position_to_invoice ON closed_position (trader_id, provider_id)
  WHERE invoice_id IS NULL AND closed_pnl > 0;
-- The other orders of a trader's history.
CREATE INDEX closed_position_by_pnl ON closed_position (trader_id, closed_pnl, id);
CREATE INDEX closed_position_by_symbol ON closed_position (trader_id, symbol, closed_at, id);
-- Positions that an invoicing run must leave out.
CREATE INDEX closed_position_of_unknown_profit ON closed_position (trader_id)
  WHERE closed_pnl IS NULL AND invoice_id IS NULL;

ALTER TABLE closed_position ENABLE ROW LEVEL SECURITY;
ALTER TABLE closed_position FORCE ROW LEVEL SECURITY;
CREATE POLICY closed_position_scope ON closed_position
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]));

-- A position is invoiced once, permanently.
CREATE FUNCTION app.refuse_other_invoice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'closed position % was invoiced', OLD.id USING ERRCODE = 'integrity_constraint_violation';
END
$$;
CREATE TRIGGER invoiced_once BEFORE UPDATE OF invoice_id, closed_pnl ON closed_position
  FOR EACH ROW WHEN (OLD.invoice_id IS NOT NULL
    AND (NEW.invoice_id, NEW.closed_pnl) IS DISTINCT FROM (OLD.invoice_id, OLD.closed_pnl))
  EXECUTE FUNCTION app.refuse_other_invoice();
CREATE TRIGGER invoiced_stays BEFORE DELETE ON closed_position
  FOR EACH ROW WHEN (OLD.invoice_id IS NOT NULL) EXECUTE FUNCTION app.refuse_other_invoice();

CREATE TABLE closed_position_day (
  account_id uuid NOT NULL REFERENCES exchange_account ON DELETE RESTRICT,
  day date NOT NULL,
  trader_id uuid NOT NULL REFERENCES trader ON DELETE RESTRICT,
  provider_id uuid NOT NULL REFERENCES provider,
  positions integer NOT NULL,
  closed_pnl numeric NOT NULL,
  unknown_profit integer NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, day)
);
COMMENT ON TABLE closed_position_day IS 'Closed positions by account and day (UTC), kept by triggers.';
COMMENT ON COLUMN closed_position_day.unknown_profit IS 'Positions of the day that closed_pnl leaves out.';
CREATE INDEX closed_position_day_by_trader ON closed_position_day (trader_id, day);
CREATE INDEX closed_position_day_by_provider ON closed_position_day (provider_id, day);

ALTER TABLE closed_position_day ENABLE ROW LEVEL SECURITY;
ALTER TABLE closed_position_day FORCE ROW LEVEL SECURITY;
CREATE POLICY closed_position_day_scope ON closed_position_day
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]));

-- Adds up the changes of a statement. An update that changes neither day nor profit (invoicing) adds nothing.
CREATE FUNCTION app.sum_closed_positions() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER closed_positions_added AFTER INSERT ON closed_position
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.sum_closed_positions();
CREATE TRIGGER closed_positions_changed AFTER UPDATE ON closed_position
  REFERENCING OLD TABLE AS taken NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.sum_closed_positions();
CREATE TRIGGER closed_positions_taken AFTER DELETE ON closed_position
  REFERENCING OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION app.sum_closed_positions();

CREATE TABLE invoicing_run (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  trader_id uuid REFERENCES trader ON DELETE CASCADE,
  community_id uuid REFERENCES community ON DELETE CASCADE,
  state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'done')),
  version integer NOT NULL DEFAULT 1,
  leased_until timestamptz,
  after_trader_id uuid,
  traders integer NOT NULL DEFAULT 0,
  positions integer NOT NULL DEFAULT 0,
  invoices integer NOT NULL DEFAULT 0,
  amount_units numeric(38, 0) NOT NULL DEFAULT 0,
  requested_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  CHECK (num_nonnulls(trader_id, community_id) < 2),
  CHECK ((state = 'done') = (finished_at IS NOT NULL))
);
COMMENT ON TABLE invoicing_run IS
  'One walk over the traders with something to invoice, in the order of their ids. A worker with the lease creates '
  'a batch and moves the mark in one transaction; the version fences off a worker that lost the lease.';
COMMENT ON COLUMN invoicing_run.trader_id IS
  'The run covers one trader, one community (community_id), or everything.';
COMMENT ON COLUMN invoicing_run.after_trader_id IS 'The last trader that is done.';
-- Two runs never walk the same traders at once.
CREATE UNIQUE INDEX invoicing_run_under_way ON invoicing_run (coalesce(trader_id, community_id)) NULLS NOT DISTINCT
  WHERE state = 'running';
CREATE INDEX invoicing_run_by_created ON invoicing_run (created_at DESC, id);

ALTER TABLE invoicing_run ENABLE ROW LEVEL SECURITY;
ALTER TABLE invoicing_run FORCE ROW LEVEL SECURITY;
CREATE POLICY invoicing_run_scope ON invoicing_run USING ((SELECT app.sees_all()));

CREATE TRIGGER invoicing_run_begun AFTER INSERT ON invoicing_run
  FOR EACH STATEMENT EXECUTE FUNCTION app.announce_work();

CREATE TABLE invoicing_problem (
  run_id uuid NOT NULL REFERENCES invoicing_run ON DELETE CASCADE,
  trader_id uuid NOT NULL REFERENCES trader ON DELETE CASCADE,
  reason text NOT NULL CHECK (reason IN ('split_exceeds_invoice', 'no_deposit_address', 'failed', 'unknown_profit')),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (run_id, trader_id)
);
COMMENT ON TABLE invoicing_problem IS 'Traders that a run could not invoice; their positions wait for the next one.';

ALTER TABLE invoicing_problem ENABLE ROW LEVEL SECURITY;
ALTER TABLE invoicing_problem FORCE ROW LEVEL SECURITY;
CREATE POLICY invoicing_problem_scope ON invoicing_problem USING ((SELECT app.sees_all()));
