-- What lists and figures are read from. Triggers keep it, and it can be made again from the rest.

CREATE TABLE community_day (
  community_id uuid NOT NULL REFERENCES community ON DELETE CASCADE,
  provider_id uuid REFERENCES provider,
  day date NOT NULL,
  equity numeric(28, 8),
  received_units numeric(38, 0) NOT NULL DEFAULT 0 CHECK (received_units >= 0),
  UNIQUE NULLS NOT DISTINCT (community_id, day, provider_id)
);
COMMENT ON TABLE community_day IS
  'AUM and money received by community and day. Adding them up from snapshots and payments would read millions of '
  'rows for a year of one community.';
COMMENT ON COLUMN community_day.provider_id IS 'NULL: invoices whose provider is unknown.';
COMMENT ON COLUMN community_day.equity IS
  'Sum of the day''s equity snapshots in USD, written by a job. NULL: none was taken.';
COMMENT ON COLUMN community_day.received_units IS 'Amounts received on invoices, kept by a trigger.';

ALTER TABLE community_day ENABLE ROW LEVEL SECURITY;
ALTER TABLE community_day FORCE ROW LEVEL SECURITY;
CREATE POLICY community_day_scope ON community_day
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]))
  WITH CHECK ((SELECT app.sees_all()));

REVOKE DELETE ON community_day FROM copydesk_app;

CREATE TABLE provider_set (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  provider_ids uuid[] NOT NULL UNIQUE CHECK (cardinality(provider_ids) > 1)
);
COMMENT ON TABLE provider_set IS 'Sets of several providers that users hold.';
COMMENT ON COLUMN provider_set.provider_ids IS 'In order, without duplicates.';

ALTER TABLE provider_set ENABLE ROW LEVEL SECURITY;
ALTER TABLE provider_set FORCE ROW LEVEL SECURITY;
CREATE POLICY provider_set_scope ON provider_set
  USING ((SELECT app.sees_all()) OR provider_ids <@ (SELECT app.provider_ids())::uuid[]);

-- Triggers alone write these tables.
REVOKE INSERT, UPDATE, DELETE ON provider_set FROM copydesk_app;

CREATE TABLE trader_in_set (
  set_id integer NOT NULL REFERENCES provider_set ON DELETE CASCADE,
  trader_id uuid NOT NULL REFERENCES trader ON DELETE CASCADE,
  community_id uuid NOT NULL,
  aum numeric(28, 8),
  aum_read_at timestamptz,
  tab text,
  aum_rank float8 NOT NULL GENERATED ALWAYS AS (coalesce(aum::float8, '-Infinity')) STORED,
  reference_sort text NOT NULL,
  handle_sort text NOT NULL,
  created_at timestamptz NOT NULL,
  account_count integer NOT NULL,
  PRIMARY KEY (set_id, trader_id)
);
COMMENT ON TABLE trader_in_set IS 'Sums of a shared trader over the providers of a set.';
COMMENT ON COLUMN trader_in_set.aum_rank IS 'See trader.aum_rank.';
COMMENT ON COLUMN trader_in_set.account_count IS
  'Distinguishes a trader without accounts from one whose AUM was not read yet.';
CREATE INDEX trader_in_set_by_trader ON trader_in_set (trader_id);
CREATE INDEX trader_in_set_by_aum ON trader_in_set (set_id, tab, aum_rank DESC, trader_id) INCLUDE (aum);
CREATE INDEX trader_in_set_of_any_tab ON trader_in_set (set_id, aum_rank DESC, trader_id);
CREATE INDEX trader_in_set_by_reference ON trader_in_set (set_id, reference_sort, trader_id) INCLUDE (tab);
CREATE INDEX trader_in_set_by_handle ON trader_in_set (set_id, handle_sort, trader_id) INCLUDE (tab);
CREATE INDEX trader_in_set_by_created ON trader_in_set (set_id, created_at, trader_id) INCLUDE (tab);

ALTER TABLE trader_in_set ENABLE ROW LEVEL SECURITY;
ALTER TABLE trader_in_set FORCE ROW LEVEL SECURITY;

-- The set equal to the caller's scope, or NULL when no sums are kept for it.
CREATE FUNCTION app.provider_set() RETURNS integer
  LANGUAGE sql STABLE PARALLEL SAFE
  SET search_path = public, pg_temp
  AS 'SELECT id FROM provider_set WHERE provider_ids = ARRAY(SELECT DISTINCT unnest(app.provider_ids()) ORDER BY 1)';
GRANT EXECUTE ON FUNCTION app.provider_set() TO copydesk_app;

-- Only a scope equal to the set sees a sum: a part of the set may see less of it, and a larger scope has another sum.
CREATE POLICY trader_in_set_scope ON trader_in_set
  USING ((SELECT app.sees_all()) OR set_id = (SELECT app.provider_set()));

-- The same when a set begins or ends to see a shared trader.
CREATE FUNCTION app.pool_sets_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM FROM pool_member WHERE trader_id IN (SELECT trader_id FROM added) ORDER BY id FOR UPDATE;
    PERFORM app.add_to_set_sums(ARRAY(SELECT ROW(n.set_id, m.pooled_account_id, m.capital_units, m.pending_units,
        (m.capital_units + m.pending_units > 0)::int)::pool_set_sum
      FROM added n JOIN pool_member m ON m.trader_id = n.trader_id WHERE m.capital_units + m.pending_units > 0));
  ELSE
    PERFORM FROM pool_member WHERE trader_id IN (SELECT trader_id FROM taken) ORDER BY id FOR UPDATE;
    PERFORM app.add_to_set_sums(ARRAY(SELECT ROW(o.set_id, m.pooled_account_id, -m.capital_units, -m.pending_units,
        -(m.capital_units + m.pending_units > 0)::int)::pool_set_sum
      FROM taken o JOIN pool_member m ON m.trader_id = o.trader_id WHERE m.capital_units + m.pending_units > 0));
  END IF;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;

CREATE TRIGGER trader_in_set_added_to_pools AFTER INSERT ON trader_in_set
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.pool_sets_written();
CREATE TRIGGER trader_in_set_removed_from_pools AFTER DELETE ON trader_in_set
  REFERENCING OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION app.pool_sets_written();

-- Triggers alone write these tables.
REVOKE INSERT, UPDATE, DELETE ON trader_in_set FROM copydesk_app;

CREATE TABLE payout_in_set (
  set_id integer NOT NULL REFERENCES provider_set ON DELETE CASCADE,
  payout_id uuid NOT NULL REFERENCES payout ON DELETE RESTRICT,
  community_id uuid NOT NULL,
  recipient_type text NOT NULL,
  status text NOT NULL,
  amount_units numeric(38, 0) NOT NULL,
  created_at timestamptz NOT NULL,
  amount_rank float8 NOT NULL GENERATED ALWAYS AS (amount_units::float8) STORED,
  PRIMARY KEY (set_id, payout_id)
);
COMMENT ON TABLE payout_in_set IS 'Sums of a shared payout over the providers of a set.';
COMMENT ON COLUMN payout_in_set.amount_rank IS 'See trader.aum_rank.';
CREATE INDEX payout_in_set_by_payout ON payout_in_set (payout_id);
CREATE INDEX payout_in_set_by_created ON payout_in_set (set_id, created_at, payout_id);
CREATE INDEX payout_in_set_by_status ON payout_in_set (set_id, status, created_at, payout_id);
CREATE INDEX payout_in_set_by_community ON payout_in_set (set_id, community_id, created_at, payout_id);
CREATE INDEX payout_in_set_by_type ON payout_in_set (set_id, recipient_type, created_at, payout_id);
CREATE INDEX payout_in_set_by_amount ON payout_in_set (set_id, amount_rank, amount_units, payout_id);

ALTER TABLE payout_in_set ENABLE ROW LEVEL SECURITY;
ALTER TABLE payout_in_set FORCE ROW LEVEL SECURITY;
CREATE POLICY payout_in_set_scope ON payout_in_set
  USING ((SELECT app.sees_all()) OR set_id = (SELECT app.provider_set()));

-- Triggers alone write these tables.
REVOKE INSERT, UPDATE, DELETE ON payout_in_set FROM copydesk_app;

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

ALTER TABLE community_capital_day ENABLE ROW LEVEL SECURITY;
ALTER TABLE community_capital_day FORCE ROW LEVEL SECURITY;
CREATE POLICY community_capital_day_scope ON community_capital_day FOR ALL
  USING ((SELECT app.sees_all()) OR provider_ids && (SELECT app.provider_ids()))
  WITH CHECK ((SELECT app.sees_all()));

CREATE TABLE figure_day (
  name text NOT NULL CHECK (name ~ '^[a-z_]{1,40}$'),
  day date NOT NULL,
  provider_id uuid REFERENCES provider,
  amount_units numeric(38, 0),
  n integer NOT NULL CHECK (n >= 0),
  CONSTRAINT figure_day_once UNIQUE NULLS NOT DISTINCT (name, day, provider_id)
);
COMMENT ON TABLE figure_day IS
  'Figures of the overview at the last time of a day (UTC) that they were noted. Every provider has a row of each day on which any was.';
COMMENT ON COLUMN figure_day.provider_id IS 'Whose part it is. NULL: what is no provider''s, for super admins.';
COMMENT ON COLUMN figure_day.amount_units IS '10^-18 USDT. NULL: the figure has no amounts.';
CREATE INDEX figure_day_by_provider ON figure_day (provider_id) WHERE provider_id IS NOT NULL;
CREATE INDEX figure_day_by_day ON figure_day (day);

ALTER TABLE figure_day ENABLE ROW LEVEL SECURITY;
ALTER TABLE figure_day FORCE ROW LEVEL SECURITY;
CREATE POLICY figure_day_scope ON figure_day USING (
  (SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[])
) WITH CHECK ((SELECT app.sees_all()));

CREATE POLICY pool_set_sum_scope ON pool_set_sum
  USING ((SELECT app.sees_all()) OR set_id = (SELECT app.provider_set()));

ALTER TABLE pool_set_sum ADD CONSTRAINT pool_set_sum_set_id_fkey FOREIGN KEY (set_id) REFERENCES provider_set(id)
  ON DELETE CASCADE;

-- Recomputes the sums of these traders in these sets. NULL stands for all traders, and for all sets.
CREATE FUNCTION app.refresh_trader_sets(trader_ids uuid[], set_ids integer[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  DELETE FROM trader_in_set s
  USING provider_set v
  WHERE v.id = s.set_id AND (set_ids IS NULL OR s.set_id = ANY (set_ids)) AND s.trader_id = ANY (trader_ids)
    AND NOT EXISTS (SELECT FROM trader_provider p
      WHERE p.trader_id = s.trader_id AND p.is_shared AND p.provider_id = ANY (v.provider_ids));
  INSERT INTO trader_in_set AS s (set_id, trader_id, community_id, aum, aum_read_at, tab, account_count, reference_sort,
    handle_sort, created_at)
  -- Each row of a trader has its whole pool capital.
  SELECT v.id, p.trader_id, (array_agg(p.community_id))[1], sum(p.aum - p.pool_capital) + max(p.pool_capital),
    min(p.aum_read_at), max(p.tab), sum(p.account_count), min(p.reference_sort), min(p.handle_sort), min(p.created_at)
  FROM trader_provider p JOIN provider_set v ON p.provider_id = ANY (v.provider_ids)
  WHERE p.is_shared AND (trader_ids IS NULL OR p.trader_id = ANY (trader_ids))
    AND (set_ids IS NULL OR v.id = ANY (set_ids))
  GROUP BY v.id, p.trader_id
  ON CONFLICT (set_id, trader_id) DO UPDATE
  SET community_id = excluded.community_id, aum = excluded.aum, aum_read_at = excluded.aum_read_at, tab = excluded.tab,
    account_count = excluded.account_count, reference_sort = excluded.reference_sort, handle_sort = excluded.handle_sort, created_at = excluded.created_at
  WHERE (s.community_id, s.aum, s.aum_read_at, s.tab, s.account_count, s.reference_sort, s.handle_sort,
    s.created_at)
    IS DISTINCT FROM (excluded.community_id, excluded.aum, excluded.aum_read_at, excluded.tab,
      excluded.account_count, excluded.reference_sort,
      excluded.handle_sort, excluded.created_at);
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$function$;

-- The same for payouts. A part never loses its payout, so only a recomputation deletes rows.
CREATE FUNCTION app.refresh_payout_sets(payout_ids uuid[], set_ids integer[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  DELETE FROM payout_in_set s
  WHERE s.payout_id = ANY (payout_ids) AND (set_ids IS NULL OR s.set_id = ANY (set_ids));
  INSERT INTO payout_in_set (set_id, payout_id, community_id, recipient_type, status, amount_units, created_at)
  SELECT v.id, s.payout_id, s.community_id, s.recipient_type, s.status, sum(s.amount_units), s.created_at
  FROM payout_provider s JOIN provider_set v ON s.provider_id = ANY (v.provider_ids)
  WHERE s.is_shared AND (payout_ids IS NULL OR s.payout_id = ANY (payout_ids))
    AND (set_ids IS NULL OR v.id = ANY (set_ids))
  GROUP BY v.id, s.payout_id, s.community_id, s.recipient_type, s.status, s.created_at;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;

-- Whether the sets match those in use, checked without a lock: most changes of users bring no new set.
CREATE FUNCTION app.provider_sets_agree() RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
  agree boolean;
BEGIN
  SELECT NOT EXISTS (
    (SELECT u FROM app.provider_sets_in_use() u EXCEPT SELECT provider_ids FROM provider_set)
    UNION ALL
    (SELECT provider_ids FROM provider_set EXCEPT SELECT u FROM app.provider_sets_in_use() u)) INTO agree;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN agree;
END
$$;

-- Traders in the caller's scope with this part in a reference number, or in anything else: names, Telegram, e-mail,
-- addresses and accounts, or the beginning of an invoice's id or of the hash that paid one. Accounts, invoices and
-- payments count only for the caller's providers; traders whose reference number also has the part are left out.
-- Returns at most so many matches, a trader once for each match; without a scope, none.
--
-- Under row-level security no index answers LIKE, because the operator is not leakproof. So this function runs as the
-- owner, applies the scope itself, and returns ids only. The pattern is part of the statement, so that the planner
-- knows it. OFFSET 0 looks up each trader instead of collecting the whole scope first.
CREATE FUNCTION app.search_traders(part text, in_references boolean, most integer) RETURNS SETOF uuid
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  mine uuid[] := app.provider_ids();
  caller_scope text := app.open_scope();
  needle text := lower(part);
  pattern text := '%' || replace(replace(replace(needle, '\', '\\'), '%', '\%'), '_', '\_') || '%';
  hex text := replace(needle, '-', '');
  is_short boolean := length(needle) < 3;
  sources text := format($query$SELECT x.trader_id FROM trader_text x
    WHERE %s AND ($1 OR coalesce(x.provider_id = ANY ($2), true))$query$,
    CASE
      -- Neither column is named as an index has it: texts are read as they come, and only until there are enough.
      WHEN in_references AND is_short THEN format($part$(x.kind || '') = 'reference' AND (x.value || '') LIKE %L$part$, pattern)
      WHEN in_references THEN format($part$x.kind = 'reference' AND x.value LIKE %L$part$, pattern)
      WHEN is_short THEN format($part$x.kind <> 'reference' AND app.short_parts(x.value) @> ARRAY[%L]$part$, needle)
      ELSE format($part$x.kind <> 'reference' AND x.value LIKE %L$part$, pattern)
    END);
BEGIN
  IF NOT in_references AND hex ~ '^[0-9a-f]{8,32}$' THEN
    sources := sources || format($query$ UNION ALL SELECT i.trader_id FROM invoice i
      WHERE i.id BETWEEN %L::uuid AND %L::uuid AND ($1 OR i.provider_id = ANY ($2))$query$,
      rpad(hex, 32, '0'), rpad(hex, 32, 'f'));
  END IF;
  IF NOT in_references AND needle ~ '^0x[0-9a-f]{6,64}$' THEN
    sources := sources || format($query$ UNION ALL SELECT i.trader_id FROM invoice_payment y JOIN invoice i ON i.id = y.invoice_id
      WHERE y.transaction_hash COLLATE "C" >= %L AND y.transaction_hash COLLATE "C" < %L
        AND ($1 OR y.provider_id = ANY ($2))$query$, needle, needle || 'g');
  END IF;
  RETURN QUERY EXECUTE format($query$SELECT found.trader_id FROM (%s) found
    WHERE ($1 OR EXISTS (SELECT FROM trader_provider p
      WHERE p.trader_id = found.trader_id AND p.provider_id = ANY ($2) OFFSET 0))
    AND (%L OR NOT EXISTS (SELECT FROM trader_text r
      WHERE r.trader_id = found.trader_id AND r.kind = 'reference' AND r.value LIKE %L OFFSET 0))
    LIMIT $3$query$, sources, in_references, pattern) USING caller_scope = 'all', mine, most;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;
GRANT EXECUTE ON FUNCTION app.search_traders(text, boolean, integer) TO copydesk_app;

-- Adds amounts to the sums of providers, each row once and in one order.
CREATE FUNCTION app.add_to_provider_sums(changes pool_provider_sum[]) RETURNS void
  LANGUAGE sql
  SET search_path = public, pg_temp AS $$
  INSERT INTO pool_provider_sum AS s
    (pooled_account_id, provider_id, is_shared, capital_units, pending_units, member_count)
  SELECT c.pooled_account_id, c.provider_id, c.is_shared, sum(c.capital_units), sum(c.pending_units),
    sum(c.member_count)::int
  FROM unnest(changes) c GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (pooled_account_id, provider_id, is_shared) DO UPDATE
  SET capital_units = s.capital_units + excluded.capital_units,
    pending_units = s.pending_units + excluded.pending_units,
    member_count = s.member_count + excluded.member_count
$$;

-- The same for sets. A set that is being removed takes its sums along.
CREATE FUNCTION app.add_to_set_sums(changes pool_set_sum[]) RETURNS void
  LANGUAGE sql
  SET search_path = public, pg_temp AS $$
  INSERT INTO pool_set_sum AS s (set_id, pooled_account_id, capital_units, pending_units, member_count)
  SELECT c.set_id, c.pooled_account_id, sum(c.capital_units), sum(c.pending_units), sum(c.member_count)::int
  FROM unnest(changes) c JOIN provider_set v ON v.id = c.set_id GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (set_id, pooled_account_id) DO UPDATE
  SET capital_units = s.capital_units + excluded.capital_units,
    pending_units = s.pending_units + excluded.pending_units,
    member_count = s.member_count + excluded.member_count
$$;

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
