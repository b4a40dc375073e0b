-- What is read at exchanges: positions, their corrections, and equity by day.

CREATE TABLE account_reading (
  account_id uuid PRIMARY KEY REFERENCES exchange_account ON DELETE CASCADE,
  provider_id uuid NOT NULL REFERENCES provider,
  exchange text NOT NULL REFERENCES exchange,
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
  last_read_until timestamptz,
  unread_since timestamptz,
  unread_until timestamptz,
  is_unread_decided boolean NOT NULL DEFAULT false,
  CONSTRAINT account_reading_check CHECK ((closed_since IS NULL) = (closed_until IS NULL)),
  CONSTRAINT account_reading_check1 CHECK (closed_cursor IS NULL OR closed_until IS NOT NULL),
  -- What closed before an account is removed is owed: its key is kept for one more read, up to the removal.
  CONSTRAINT account_reading_unread CHECK ((unread_since IS NULL) = (unread_until IS NULL))
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
COMMENT ON COLUMN account_reading.last_read_until IS
  'The account was removed then, and its closed positions up to then are still to be read. NULL: nothing is to be read for the last time.';
COMMENT ON COLUMN account_reading.unread_since IS
  'With unread_until, the time of which closed positions of a removed account were never read.';
COMMENT ON COLUMN account_reading.is_unread_decided IS 'The same of unread_until.';
CREATE INDEX account_reading_due ON account_reading (exchange, due_at);
CREATE INDEX account_reading_requested ON account_reading (exchange, requested_at) WHERE requested_at IS NOT NULL;
CREATE INDEX account_reading_by_provider ON account_reading (provider_id);
-- What was never read, for the list of super admins.
CREATE INDEX account_reading_with_unread ON account_reading (unread_until) WHERE unread_until IS NOT NULL;
CREATE INDEX account_reading_open_unread ON account_reading (account_id)
  WHERE unread_until IS NOT NULL AND NOT is_unread_decided;

ALTER TABLE account_reading ENABLE ROW LEVEL SECURITY;
ALTER TABLE account_reading FORCE ROW LEVEL SECURITY;
-- The policy of the account checks its trader.
CREATE POLICY account_reading_scope ON account_reading
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]))
  WITH CHECK ((SELECT app.sees_all()) OR (provider_id = ANY ((SELECT app.provider_ids())::uuid[])
    AND EXISTS (SELECT FROM exchange_account a WHERE a.id = account_reading.account_id)));

-- Wakes the workers, so that a refresh does not wait for their next look.
CREATE FUNCTION app.announce_reading_request() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  PERFORM app.wake('copydesk_reading', NEW.exchange);
  RETURN NULL;
END
$$;

CREATE TRIGGER reading_requested AFTER INSERT OR UPDATE OF requested_at ON account_reading
  FOR EACH ROW WHEN (NEW.requested_at IS NOT NULL) EXECUTE FUNCTION app.announce_reading_request();

CREATE FUNCTION app.unread_differs() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  NEW.is_unread_decided := EXISTS (SELECT FROM difference_decision x
    WHERE x.kind = 'unread_closes' AND x.subject_id = NEW.account_id AND x.seen = app.iso(NEW.unread_until));
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NEW;
END
$$;

CREATE TRIGGER unread_differs BEFORE UPDATE OF unread_until ON account_reading FOR EACH ROW
  WHEN (NEW.unread_until IS DISTINCT FROM OLD.unread_until) EXECUTE FUNCTION app.unread_differs();

CREATE TABLE equity_snapshot (
  trader_id uuid NOT NULL REFERENCES trader ON DELETE CASCADE,
  provider_id uuid NOT NULL REFERENCES provider,
  day date NOT NULL,
  equity numeric(28,8) NOT NULL,
  PRIMARY KEY (trader_id, provider_id, day)
) PARTITION BY RANGE (day);
COMMENT ON TABLE equity_snapshot IS
  'Equity at the end of a day (UTC) as each provider sees it. Figures of communities and providers are sums of these. By month.';
CREATE INDEX equity_snapshot_by_provider ON equity_snapshot (provider_id, day);

ALTER TABLE equity_snapshot ENABLE ROW LEVEL SECURITY;
ALTER TABLE equity_snapshot FORCE ROW LEVEL SECURITY;
CREATE POLICY equity_snapshot_scope ON equity_snapshot
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]));

CREATE TABLE open_position (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
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
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
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
  invoice_id uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  venue text,
  venue_account text,
  double_of uuid REFERENCES closed_position,
  corrected_pnl numeric,
  corrected_at timestamptz,
  is_correction_decided boolean NOT NULL DEFAULT false,
  is_double_decided boolean NOT NULL DEFAULT false,
  CONSTRAINT closed_position_account_id_venue_id_key UNIQUE (account_id, venue_id),
  -- A close is known by its exchange, its account there, and its id there.
  -- The names are others than those of accounts: the version before joins both.
  CONSTRAINT closed_position_corrected CHECK ((corrected_pnl IS NULL) = (corrected_at IS NULL)),
  -- A close is known by its exchange, its account there, and its id there.
  -- The names are others than those of accounts: the version before joins both.
  CONSTRAINT closed_position_venue CHECK (venue IS NOT NULL AND venue_account IS NOT NULL)
);
COMMENT ON TABLE closed_position IS 'Closed positions, as read from the exchanges.';
COMMENT ON COLUMN closed_position.venue_id IS
  'The exchange''s own id of the closed position: a second reading updates the row.';
COMMENT ON COLUMN closed_position.closed_pnl IS
  'Profit in USD. NULL: unknown, because its currency or the price to convert it at is missing. Such a position '
  'counts as a position, adds nothing to a sum, and is invoiced only once its profit is known; every sum reports '
  'how many it leaves out.';
COMMENT ON COLUMN closed_position.invoice_id IS 'A position is invoiced once, permanently.';
COMMENT ON COLUMN closed_position.venue IS 'The exchange; with venue_account, the account there, and venue_id, the close there.';
COMMENT ON COLUMN closed_position.double_of IS
  'The same close under an account that held the exchange account before: it is not invoiced, and listed where it was.';
COMMENT ON COLUMN closed_position.corrected_pnl IS
  'Profit as the exchange reports it since it was invoiced; closed_pnl is what was invoiced.';
COMMENT ON COLUMN closed_position.is_correction_decided IS
  'Whether a super admin decided the difference of corrected_pnl as it is. Kept by triggers.';
COMMENT ON COLUMN closed_position.is_double_decided IS 'The same of double_of.';
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
-- One close, one position, over all accounts that ever held the exchange account.
CREATE UNIQUE INDEX closed_position_once ON closed_position (venue, venue_account, venue_id)
  WHERE double_of IS NULL;
CREATE INDEX closed_position_open_difference ON closed_position (id)
  WHERE (corrected_pnl IS NOT NULL AND NOT is_correction_decided) OR (double_of IS NOT NULL AND NOT is_double_decided);
-- Whether a close was found a second time, as its invoice is recalled. Few are.
CREATE INDEX closed_position_by_double ON closed_position (double_of) WHERE double_of IS NOT NULL;

ALTER TABLE closed_position ENABLE ROW LEVEL SECURITY;
ALTER TABLE closed_position FORCE ROW LEVEL SECURITY;
CREATE POLICY closed_position_scope ON closed_position
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]));

-- A position is invoiced once: it is free again in the transaction that recalls its invoice, and in no other.
CREATE FUNCTION app.refuse_other_invoice() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF NEW.invoice_id IS NULL AND NEW.closed_pnl IS NOT DISTINCT FROM OLD.closed_pnl
      AND EXISTS (SELECT FROM invoice i WHERE i.id = OLD.invoice_id AND i.recalled_at = now())
      AND EXISTS (SELECT FROM recalled_position r WHERE r.invoice_id = OLD.invoice_id AND r.position_id = OLD.id) THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'closed position % was invoiced', OLD.id USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER invoiced_once BEFORE UPDATE OF invoice_id, closed_pnl ON closed_position
  FOR EACH ROW WHEN (OLD.invoice_id IS NOT NULL
    AND (NEW.invoice_id, NEW.closed_pnl) IS DISTINCT FROM (OLD.invoice_id, OLD.closed_pnl))
  EXECUTE FUNCTION app.refuse_other_invoice();
CREATE TRIGGER invoiced_stays BEFORE DELETE ON closed_position
  FOR EACH ROW WHEN (OLD.invoice_id IS NOT NULL) EXECUTE FUNCTION app.refuse_other_invoice();

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

CREATE FUNCTION app.name_close() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  SELECT a.exchange, a.acc_uid INTO NEW.venue, NEW.venue_account FROM exchange_account a WHERE a.id = NEW.account_id;
  RETURN NEW;
END
$$;

CREATE TRIGGER close_named BEFORE INSERT ON closed_position FOR EACH ROW WHEN (NEW.venue IS NULL)
  EXECUTE FUNCTION app.name_close();

CREATE FUNCTION app.close_differs() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  NEW.is_correction_decided := EXISTS (SELECT FROM difference_decision x
    WHERE x.kind = 'corrected_close' AND x.subject_id = NEW.id AND x.seen = NEW.corrected_pnl::text);
  NEW.is_double_decided := EXISTS (SELECT FROM difference_decision x
    WHERE x.kind = 'doubled_close' AND x.subject_id = NEW.id AND x.seen = NEW.double_of::text);
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NEW;
END
$$;

CREATE TRIGGER close_differs BEFORE UPDATE OF corrected_pnl, double_of ON closed_position FOR EACH ROW
  WHEN (NEW.corrected_pnl IS DISTINCT FROM OLD.corrected_pnl OR NEW.double_of IS DISTINCT FROM OLD.double_of)
  EXECUTE FUNCTION app.close_differs();

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

CREATE TABLE address_reading (
  chain_id integer NOT NULL,
  address text NOT NULL CHECK (address ~ '^0x[0-9a-f]{40}$'),
  is_contract boolean NOT NULL,
  is_token boolean NOT NULL,
  nonce bigint NOT NULL CHECK (nonce >= 0),
  coin_wei numeric(78,0) NOT NULL CHECK (coin_wei >= 0),
  token_units numeric(78,0) NOT NULL CHECK (token_units >= 0),
  is_used boolean NOT NULL GENERATED ALWAYS AS (is_contract OR nonce > 0 OR coin_wei > 0 OR token_units > 0) STORED,
  block_number bigint NOT NULL,
  read_at timestamptz NOT NULL,
  PRIMARY KEY (address, chain_id)
);
COMMENT ON TABLE address_reading IS
  'What the chain knows of addresses that people entered, as of one block. Information for whoever releases or approves; only a token contract is refused.';
COMMENT ON COLUMN address_reading.is_token IS 'It answers like a contract of tokens (ERC-20): what is paid to it is lost.';
COMMENT ON COLUMN address_reading.is_used IS
  'Whether there is any trace of it: a contract, a transaction of its own, coin, or the token. Tokens that it had and passed on without coin leave none.';

ALTER TABLE address_reading ENABLE ROW LEVEL SECURITY;
ALTER TABLE address_reading FORCE ROW LEVEL SECURITY;
CREATE POLICY address_reading_scope ON address_reading FOR ALL
  USING ((SELECT app.sees_all())) WITH CHECK ((SELECT app.sees_all()));

REVOKE INSERT, UPDATE, DELETE ON address_reading FROM copydesk_app;
GRANT INSERT, UPDATE ON address_reading TO copydesk_worker;

-- Where invoices and exchanges differ, a super admin decides; what was decided is listed no more, until it changes.
CREATE TABLE difference_decision (
  kind text NOT NULL CHECK (kind IN ('corrected_close', 'doubled_close', 'unread_closes')),
  subject_id uuid NOT NULL,
  seen text NOT NULL,
  decided_by text NOT NULL,
  decided_by_id text NOT NULL,
  decided_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (kind, subject_id, seen)
);
COMMENT ON TABLE difference_decision IS
  'Differences between invoices and exchanges that a super admin has seen and left as they are.';
COMMENT ON COLUMN difference_decision.seen IS 'What differed then: the profit reported, or the end of the time.';

ALTER TABLE difference_decision ENABLE ROW LEVEL SECURITY;
ALTER TABLE difference_decision FORCE ROW LEVEL SECURITY;
CREATE POLICY difference_decision_scope ON difference_decision FOR ALL USING ((SELECT app.sees_all()));

CREATE FUNCTION app.difference_decided() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  CASE NEW.kind
    WHEN 'corrected_close' THEN
      UPDATE closed_position SET is_correction_decided = true
      WHERE id = NEW.subject_id AND corrected_pnl::text = NEW.seen;
    WHEN 'doubled_close' THEN
      UPDATE closed_position SET is_double_decided = true WHERE id = NEW.subject_id AND double_of::text = NEW.seen;
    ELSE
      UPDATE account_reading SET is_unread_decided = true
      WHERE account_id = NEW.subject_id AND app.iso(unread_until) = NEW.seen;
  END CASE;
  RETURN NULL;
END
$$;

CREATE TRIGGER difference_decided AFTER INSERT ON difference_decision FOR EACH ROW
  EXECUTE FUNCTION app.difference_decided();

REVOKE UPDATE, DELETE ON difference_decision FROM copydesk_app;

CREATE TABLE recalled_position (
  invoice_id uuid NOT NULL,
  position_id uuid NOT NULL REFERENCES closed_position ON DELETE CASCADE,
  provider_id uuid NOT NULL REFERENCES provider,
  closed_pnl numeric NOT NULL,
  PRIMARY KEY (invoice_id, position_id)
);
COMMENT ON TABLE recalled_position IS 'What an invoice charged before it was recalled.';
COMMENT ON COLUMN recalled_position.closed_pnl IS 'The profit that it charged, USD. The position may be corrected since.';
CREATE INDEX recalled_position_by_position ON recalled_position (position_id);
CREATE INDEX recalled_position_by_provider ON recalled_position (provider_id);

ALTER TABLE recalled_position ENABLE ROW LEVEL SECURITY;
ALTER TABLE recalled_position FORCE ROW LEVEL SECURITY;
CREATE POLICY recalled_position_scope ON recalled_position FOR ALL
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[])));

REVOKE INSERT, UPDATE, DELETE ON recalled_position FROM copydesk_app;
