-- Sums that triggers keep for the lists of invoices and payouts: pages and totals read them instead of all invoices and
-- payouts.

-- One bit for each combination of status, type and exchange. The result is NULL for an exchange missing from the list.
CREATE FUNCTION app.invoice_cell(status text, invoice_type text, exchange text) RETURNS bigint
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN 1::bigint << (
    array_position(ARRAY['pending', 'paid', 'cancelled'], status) - 1
    + 3 * (array_position(ARRAY['regular', 'exchange_bot'], invoice_type) - 1)
    + 6 * CASE WHEN exchange IS NULL THEN 0
      ELSE array_position(ARRAY['bybit', 'binance', 'okx', 'kucoin', 'hyperliquid'], exchange) END);

-- The part of the paid amount that is known to have arrived on chain.
CREATE FUNCTION app.on_chain_units(paid numeric, off_platform numeric) RETURNS numeric
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN greatest(paid - off_platform, 0);

-- The part settled off the platform: what an import claims and the chain does not have, and everything open when a
-- person marked the invoice as paid.
CREATE FUNCTION app.settled_elsewhere(status text, settled_by text, amount numeric, paid numeric, off_platform numeric)
  RETURNS numeric
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN status = 'paid' AND settled_by = 'manual'
    THEN greatest(amount - app.on_chain_units(paid, off_platform), 0) ELSE off_platform END;

CREATE TABLE invoice_part (
  trader_id uuid NOT NULL REFERENCES trader ON DELETE CASCADE,
  provider_id uuid REFERENCES provider,
  community_id uuid NOT NULL REFERENCES community,
  exchange text,
  invoice_type text NOT NULL,
  status text NOT NULL,
  is_archived boolean NOT NULL,
  reference text,
  invoices integer NOT NULL,
  part_paid integer NOT NULL,
  overpaid integer NOT NULL,
  amount_units numeric(38, 0) NOT NULL,
  paid_units numeric(38, 0) NOT NULL,
  last_created timestamptz NOT NULL,
  last_updated timestamptz NOT NULL,
  first_created timestamptz NOT NULL,
  min_amount numeric(38, 0) NOT NULL,
  max_amount numeric(38, 0) NOT NULL,
  first_due timestamptz,
  last_due timestamptz,
  on_chain_units numeric(38, 0) NOT NULL,
  off_platform_units numeric(38, 0) NOT NULL,
  CHECK (app.invoice_cell(status, invoice_type, exchange) IS NOT NULL),
  UNIQUE NULLS NOT DISTINCT (trader_id, is_archived, provider_id, community_id, exchange, invoice_type, status)
    INCLUDE (reference, invoices, amount_units, last_created, last_updated)
);
COMMENT ON TABLE invoice_part IS
  'Sums of the invoices of a trader by every column with few values: a filter by any of these adds up a few rows a '
  'trader and never the invoices. Kept by triggers.';
COMMENT ON COLUMN invoice_part.reference IS
  'The trader''s reference number. NULL: it has none, and its invoices belong to the group of all traders without '
  'one.';
COMMENT ON COLUMN invoice_part.first_due IS
  'Earliest due date of the open invoices, which are neither settled nor archived; last_due is the latest.';
CREATE INDEX invoice_part_by_provider ON invoice_part (provider_id, trader_id);
CREATE INDEX invoice_part_by_community ON invoice_part (community_id);
-- Where a filter divides groups, these indexes give the newest first.
CREATE INDEX invoice_part_by_created ON invoice_part (last_created);
CREATE INDEX invoice_part_by_updated ON invoice_part (last_updated);
-- Includes everything that the group of traders without a reference number is added up from.
CREATE INDEX invoice_part_unknown ON invoice_part (trader_id)
  INCLUDE (provider_id, is_archived, reference, status, invoices, part_paid, overpaid, amount_units, paid_units,
    on_chain_units, off_platform_units, last_created, last_updated)
  WHERE reference IS NULL;

ALTER TABLE invoice_part ENABLE ROW LEVEL SECURITY;
ALTER TABLE invoice_part FORCE ROW LEVEL SECURITY;
CREATE POLICY invoice_part_scope ON invoice_part
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]));

CREATE TABLE invoice_group (
  trader_id uuid NOT NULL REFERENCES trader ON DELETE CASCADE,
  provider_id uuid REFERENCES provider,
  is_whole boolean NOT NULL GENERATED ALWAYS AS (provider_id IS NULL) STORED,
  is_archived boolean NOT NULL,
  reference text,
  tab text NOT NULL GENERATED ALWAYS AS (
    CASE WHEN is_archived THEN 'archived' WHEN unpaid = 0 THEN 'paid' WHEN pending > 0 THEN 'unpaid'
      ELSE 'other' END) STORED,
  invoices integer NOT NULL,
  unpaid integer NOT NULL,
  part_paid integer NOT NULL,
  overpaid integer NOT NULL,
  amount_units numeric(38, 0) NOT NULL,
  paid_units numeric(38, 0) NOT NULL,
  last_created timestamptz NOT NULL,
  last_updated timestamptz NOT NULL,
  cells bigint NOT NULL,
  first_created timestamptz NOT NULL,
  min_amount numeric(38, 0) NOT NULL,
  max_amount numeric(38, 0) NOT NULL,
  unpaid_first_created timestamptz,
  unpaid_last_created timestamptz,
  unpaid_min_amount numeric(38, 0),
  unpaid_max_amount numeric(38, 0),
  first_due timestamptz,
  last_due timestamptz,
  is_shared boolean NOT NULL,
  searched text GENERATED ALWAYS AS (lower(reference)) STORED,
  pending integer NOT NULL,
  pending_first_created timestamptz,
  pending_last_created timestamptz,
  pending_min_amount numeric(38, 0),
  pending_max_amount numeric(38, 0),
  whole_invoices integer NOT NULL,
  amount_rank float8 NOT NULL GENERATED ALWAYS AS (amount_units::float8) STORED,
  UNIQUE NULLS NOT DISTINCT (trader_id, is_archived, provider_id)
);
COMMENT ON TABLE invoice_group IS
  'A row of the grouped view, for one provider or for all together (is_whole). An index serves each order of each '
  'tab. Kept by triggers.';
COMMENT ON COLUMN invoice_group.provider_id IS
  'NULL: the sum over all providers, visible only to transactions that see everything.';
COMMENT ON COLUMN invoice_group.tab IS
  'A group is unpaid while one of its invoices is pending. A group that is neither (paid and cancelled invoices '
  'together) is shown under All.';
COMMENT ON COLUMN invoice_group.cells IS
  'The combinations of app.invoice_cell that occur in the group. Together with the ranges of dates and amounts, it '
  'decides whether any invoice of the group matches a filter: counting by tab needs no more.';
COMMENT ON COLUMN invoice_group.unpaid_first_created IS
  'The unpaid_ columns are the ranges of dates and amounts of the invoices that are not paid.';
COMMENT ON COLUMN invoice_group.is_shared IS
  'Whether other providers have invoices of the trader as well. Staff of several providers add up these groups, '
  'and read the others as they are.';
COMMENT ON COLUMN invoice_group.searched IS 'The reference number for search, in lower case.';
COMMENT ON COLUMN invoice_group.pending_first_created IS
  'The pending_ columns are the ranges of dates and amounts of the pending invoices.';
COMMENT ON COLUMN invoice_group.whole_invoices IS
  'Invoices of all providers together: more than invoices where a provider sees a part.';
COMMENT ON COLUMN invoice_group.amount_rank IS 'See trader.aum_rank.';
-- Row-level security reads the provider of each row: an index answers alone only if it includes the column.
CREATE INDEX invoice_group_by_created ON invoice_group (tab, last_created, trader_id)
  INCLUDE (provider_id, is_archived, searched) WHERE is_whole AND reference IS NOT NULL;
CREATE INDEX invoice_group_by_updated ON invoice_group (tab, last_updated, trader_id)
  INCLUDE (provider_id, is_archived, searched) WHERE is_whole AND reference IS NOT NULL;
CREATE INDEX invoice_group_of_provider_by_created ON invoice_group (provider_id, tab, last_created, trader_id)
  INCLUDE (is_shared, is_archived, searched) WHERE NOT is_whole AND reference IS NOT NULL;
CREATE INDEX invoice_group_of_provider_by_updated ON invoice_group (provider_id, tab, last_updated, trader_id)
  INCLUDE (is_shared, is_archived, searched) WHERE NOT is_whole AND reference IS NOT NULL;
CREATE INDEX invoice_group_shared ON invoice_group (provider_id, trader_id) WHERE is_shared AND NOT is_whole;
CREATE INDEX invoice_group_by_reference ON invoice_group (reference, trader_id);
CREATE INDEX invoice_group_by_amount ON invoice_group (tab, amount_rank, amount_units, trader_id)
  INCLUDE (provider_id, is_archived, searched) WHERE is_whole AND reference IS NOT NULL;
CREATE INDEX invoice_group_of_provider_by_amount
  ON invoice_group (provider_id, tab, amount_rank, amount_units, trader_id)
  INCLUDE (is_shared, is_archived, searched) WHERE NOT is_whole AND reference IS NOT NULL;

ALTER TABLE invoice_group ENABLE ROW LEVEL SECURITY;
ALTER TABLE invoice_group FORCE ROW LEVEL SECURITY;
CREATE POLICY invoice_group_scope ON invoice_group
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]));

-- Adds up the invoices of these traders again. A trader has few, and a full sum cannot drift. Locking the traders first
-- makes concurrent changes of two invoices of one trader add up: the later one computes from what the earlier one
-- committed. (NO KEY: each already holds the key of the trader through its foreign key.)
CREATE FUNCTION app.refresh_invoice_sums(trader_ids uuid[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  PERFORM FROM trader WHERE id = ANY (trader_ids) ORDER BY id FOR NO KEY UPDATE;
  DELETE FROM invoice_part WHERE trader_id = ANY (trader_ids);
  INSERT INTO invoice_part (trader_id, provider_id, community_id, exchange, invoice_type, status, is_archived,
    reference, invoices, part_paid, overpaid, amount_units, paid_units, on_chain_units, off_platform_units,
    last_created, last_updated, first_created, min_amount, max_amount, first_due, last_due)
  SELECT i.trader_id, i.provider_id, i.community_id, i.exchange, i.invoice_type, i.status, i.is_archived,
    -- A reference number that reads like the name of the group of those without one belongs to that group.
    nullif(min(t.reference_number), 'unknown'), count(*)::int,
    count(*) FILTER (WHERE i.status = 'pending' AND i.paid_units > 0 AND i.paid_units < i.amount_units)::int,
    count(*) FILTER (WHERE i.paid_units > i.amount_units)::int,
    sum(i.amount_units), sum(i.paid_units), sum(app.on_chain_units(i.paid_units, i.off_platform_units)),
    sum(app.settled_elsewhere(i.status, i.settled_by, i.amount_units, i.paid_units, i.off_platform_units)),
    max(i.created_at), max(i.updated_at), min(i.created_at), min(i.amount_units), max(i.amount_units),
    CASE WHEN i.status = 'pending' AND NOT i.is_archived THEN min(i.due_at) END,
    CASE WHEN i.status = 'pending' AND NOT i.is_archived THEN max(i.due_at) END
  FROM invoice i JOIN trader t ON t.id = i.trader_id
  WHERE i.trader_id = ANY (trader_ids)
  GROUP BY i.trader_id, i.provider_id, i.community_id, i.exchange, i.invoice_type, i.status, i.is_archived;

  DELETE FROM invoice_group WHERE trader_id = ANY (trader_ids);
  INSERT INTO invoice_group (trader_id, provider_id, is_archived, is_shared, reference, invoices, whole_invoices,
    unpaid, pending, part_paid, overpaid, amount_units, paid_units, last_created, last_updated, cells, first_created,
    min_amount, max_amount, unpaid_first_created, unpaid_last_created, unpaid_min_amount, unpaid_max_amount,
    pending_first_created, pending_last_created, pending_min_amount, pending_max_amount, first_due, last_due)
  SELECT p.trader_id, seen.provider_id, p.is_archived,
    count(seen.provider_id) OVER (PARTITION BY p.trader_id, p.is_archived) > 1,
    min(p.reference), sum(p.invoices)::int,
    max(CASE WHEN seen.provider_id IS NULL THEN sum(p.invoices) END) OVER (PARTITION BY p.trader_id, p.is_archived)::int,
    coalesce(sum(p.invoices) FILTER (WHERE p.status <> 'paid'), 0)::int,
    coalesce(sum(p.invoices) FILTER (WHERE p.status = 'pending'), 0)::int,
    sum(p.part_paid)::int, sum(p.overpaid)::int,
    sum(p.amount_units), sum(p.paid_units), max(p.last_created), max(p.last_updated),
    bit_or(app.invoice_cell(p.status, p.invoice_type, p.exchange)), min(p.first_created), min(p.min_amount),
    max(p.max_amount), min(p.first_created) FILTER (WHERE p.status <> 'paid'),
    max(p.last_created) FILTER (WHERE p.status <> 'paid'), min(p.min_amount) FILTER (WHERE p.status <> 'paid'),
    max(p.max_amount) FILTER (WHERE p.status <> 'paid'), min(p.first_created) FILTER (WHERE p.status = 'pending'),
    max(p.last_created) FILTER (WHERE p.status = 'pending'), min(p.min_amount) FILTER (WHERE p.status = 'pending'),
    max(p.max_amount) FILTER (WHERE p.status = 'pending'), min(p.first_due), max(p.last_due)
  FROM invoice_part p
  CROSS JOIN LATERAL (SELECT NULL::uuid AS provider_id
    UNION ALL SELECT p.provider_id WHERE p.provider_id IS NOT NULL) seen
  WHERE p.trader_id = ANY (trader_ids)
  GROUP BY p.trader_id, seen.provider_id, p.is_archived;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;

-- The sums follow, and everyone who may see the trader receives the change.
CREATE FUNCTION app.invoices_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text;
  touched uuid[];
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT trader_id) INTO touched FROM added;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(DISTINCT trader_id) INTO touched FROM taken;
  ELSE
    SELECT array_agg(DISTINCT trader_id) INTO touched
    FROM (SELECT trader_id FROM added UNION SELECT trader_id FROM taken) both_sides;
  END IF;
  IF touched IS NOT NULL THEN
    PERFORM app.refresh_invoice_sums(touched);
    caller_scope := app.open_scope();
    INSERT INTO change_event (topic, entity_id, provider_ids)
    SELECT 'trader', w.id, ARRAY(SELECT provider_id FROM trader_provider WHERE trader_id = w.id)
    FROM unnest(touched) w (id);
    PERFORM set_config('copydesk.scope', caller_scope, true);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER invoices_added AFTER INSERT ON invoice
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.invoices_written();
CREATE TRIGGER invoices_changed AFTER UPDATE ON invoice
  REFERENCING OLD TABLE AS taken NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.invoices_written();
CREATE TRIGGER invoices_taken AFTER DELETE ON invoice
  REFERENCING OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION app.invoices_written();

-- A new reference number moves the invoices of a trader to another group.
CREATE FUNCTION app.reference_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  UPDATE invoice_part SET reference = nullif(NEW.reference_number, 'unknown') WHERE trader_id = NEW.id;
  UPDATE invoice_group SET reference = nullif(NEW.reference_number, 'unknown') WHERE trader_id = NEW.id;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
CREATE TRIGGER reference_written AFTER UPDATE OF reference_number ON trader
  FOR EACH ROW WHEN (OLD.reference_number IS DISTINCT FROM NEW.reference_number)
  EXECUTE FUNCTION app.reference_written();

CREATE TABLE payout_provider (
  payout_id uuid NOT NULL REFERENCES payout ON DELETE RESTRICT,
  provider_id uuid REFERENCES provider,
  provider_ids uuid[] NOT NULL,
  community_id uuid NOT NULL REFERENCES community,
  recipient_type text NOT NULL,
  status text NOT NULL,
  amount_units numeric(38, 0) NOT NULL,
  created_at timestamptz NOT NULL,
  is_shared boolean NOT NULL GENERATED ALWAYS AS (cardinality(provider_ids) > 1) STORED,
  amount_rank float8 NOT NULL GENERATED ALWAYS AS (amount_units::float8) STORED,
  UNIQUE NULLS NOT DISTINCT (payout_id, provider_id) INCLUDE (amount_units)
);
COMMENT ON TABLE payout_provider IS
  'The part of a payout that belongs to one provider, or the whole payout. Staff see their own part of a payout '
  'that mixes providers, and an index serves each order of these parts. Kept by triggers.';
COMMENT ON COLUMN payout_provider.provider_id IS
  'NULL: the whole payout, visible only to transactions that see everything.';
COMMENT ON COLUMN payout_provider.provider_ids IS
  'All providers with a part, in order. Staff with several of them count the payout under the first.';
COMMENT ON COLUMN payout_provider.is_shared IS
  'Whether other providers have a part of the payout as well. Each index includes it, so that a walk needs no row.';
COMMENT ON COLUMN payout_provider.amount_rank IS 'See trader.aum_rank.';
-- Finds the parts of a community, type and day. The cost of changing a payout must not grow with the number of payouts.
CREATE INDEX payout_provider_by_cell ON payout_provider (community_id, recipient_type, created_at)
  INCLUDE (provider_id);
-- The provider comes first in each index, because row-level security compares it. The included columns are those that
-- filters read.
CREATE INDEX payout_provider_by_created ON payout_provider (provider_id, created_at, payout_id)
  INCLUDE (community_id, recipient_type, status, is_shared);
CREATE INDEX payout_provider_by_status ON payout_provider (provider_id, status, created_at, payout_id)
  INCLUDE (community_id, recipient_type, is_shared);
CREATE INDEX payout_provider_by_community ON payout_provider (provider_id, community_id, created_at, payout_id)
  INCLUDE (recipient_type, status, is_shared);
CREATE INDEX payout_provider_by_type ON payout_provider (provider_id, recipient_type, created_at, payout_id)
  INCLUDE (community_id, status, is_shared);
CREATE INDEX payout_provider_by_amount ON payout_provider (provider_id, amount_rank, amount_units, payout_id)
  INCLUDE (community_id, recipient_type, status, created_at, is_shared);

ALTER TABLE payout_provider ENABLE ROW LEVEL SECURITY;
ALTER TABLE payout_provider FORCE ROW LEVEL SECURITY;
CREATE POLICY payout_provider_scope ON payout_provider
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]));

CREATE TABLE payout_sum (
  grain text NOT NULL CHECK (grain IN ('day', 'month')),
  period date NOT NULL,
  provider_id uuid REFERENCES provider,
  provider_ids uuid[] NOT NULL,
  community_id uuid NOT NULL REFERENCES community,
  recipient_type text NOT NULL,
  status text NOT NULL,
  payouts integer NOT NULL,
  amount_units numeric(38, 0) NOT NULL,
  first_created timestamptz NOT NULL,
  last_created timestamptz NOT NULL,
  UNIQUE NULLS NOT DISTINCT (community_id, recipient_type, grain, period, provider_id, provider_ids, status)
);
COMMENT ON TABLE payout_sum IS
  'Sums of the parts by every column with few values, for each day (UTC) and each month. A filter adds up some '
  'thousand rows and never the payouts. Kept by triggers.';
COMMENT ON COLUMN payout_sum.period IS 'First day of the period.';
CREATE INDEX payout_sum_by_period ON payout_sum (provider_id, grain, period)
  INCLUDE (provider_ids, community_id, recipient_type, status, payouts, amount_units, first_created, last_created);

ALTER TABLE payout_sum ENABLE ROW LEVEL SECURITY;
ALTER TABLE payout_sum FORCE ROW LEVEL SECURITY;
CREATE POLICY payout_sum_scope ON payout_sum
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]));

-- Recomputes the parts and sums of these payouts: a full sum cannot drift, and a community has few payouts of a kind in
-- a day. Locking the communities first makes concurrent changes of two payouts add up: the later one computes from what
-- the earlier one committed. (NO KEY: each already holds the key of its community through its foreign key.) Each cell
-- of community, type and day is looked up by its index: a join of cells and parts read all parts.
CREATE FUNCTION app.refresh_payouts(payout_ids uuid[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
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
    o.community_id, o.recipient_type, o.status, part.units, o.created_at
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
$$;

-- Parts and sums follow. Providers with a part of the payout, before or now, receive the change.
CREATE FUNCTION app.payouts_touched(payout_ids uuid[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
  seen_before jsonb;
BEGIN
  SELECT jsonb_object_agg(payout_id, providers) INTO seen_before
  FROM (SELECT payout_id, jsonb_agg(provider_id) AS providers FROM payout_provider
        WHERE payout_id = ANY (payout_ids) AND provider_id IS NOT NULL GROUP BY payout_id) s;
  PERFORM app.refresh_payouts(payout_ids);
  INSERT INTO change_event (topic, entity_id, provider_ids)
  SELECT 'payout', w.id, ARRAY(
    SELECT provider_id FROM payout_provider WHERE payout_id = w.id AND provider_id IS NOT NULL
    UNION SELECT p::uuid FROM jsonb_array_elements_text(seen_before -> w.id::text) p)
  FROM unnest(payout_ids) w (id);
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;

CREATE FUNCTION app.payouts_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  touched uuid[];
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  SELECT array_agg(id) INTO touched FROM added;
  IF touched IS NOT NULL THEN
    PERFORM app.payouts_touched(touched);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER payouts_added AFTER INSERT ON payout
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.payouts_written();
CREATE TRIGGER payouts_changed AFTER UPDATE ON payout
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.payouts_written();

-- Sums of payouts depend on the payables that a payout pays, their providers and their amounts. An update of anything
-- else changes no sum: of an order of thousands, a quarter of the time went into recomputing them.
CREATE FUNCTION app.payables_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  touched uuid[];
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT payout_id) INTO touched FROM added WHERE payout_id IS NOT NULL;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(DISTINCT payout_id) INTO touched FROM taken WHERE payout_id IS NOT NULL;
  ELSE
    SELECT array_agg(DISTINCT side.payout_id) INTO touched
    FROM added a JOIN taken t ON t.id = a.id
    CROSS JOIN LATERAL (VALUES (a.payout_id), (t.payout_id)) side (payout_id)
    WHERE side.payout_id IS NOT NULL
      AND (a.payout_id, a.provider_id, a.amount_units)
        IS DISTINCT FROM (t.payout_id, t.provider_id, t.amount_units);
  END IF;
  IF touched IS NOT NULL THEN
    PERFORM app.payouts_touched(touched);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER payables_added AFTER INSERT ON payable
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.payables_written();
CREATE TRIGGER payables_changed AFTER UPDATE ON payable
  REFERENCING OLD TABLE AS taken NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.payables_written();
CREATE TRIGGER payables_taken AFTER DELETE ON payable
  REFERENCING OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION app.payables_written();

-- Triggers alone write the sums.
REVOKE INSERT, UPDATE, DELETE ON invoice_part, invoice_group, payout_provider, payout_sum FROM copydesk_app;
GRANT EXECUTE ON FUNCTION
  app.invoice_cell(text, text, text),
  app.on_chain_units(numeric, numeric),
  app.settled_elsewhere(text, text, numeric, numeric, numeric)
  TO copydesk_app;
