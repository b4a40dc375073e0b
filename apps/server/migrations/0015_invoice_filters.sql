-- What a page of groups is found from under any filter: no more than what it is sorted by, from indexes alone.

SELECT set_config('copydesk.scope', 'all', true), set_config('copydesk.bulk', 'on', true);

-- All sums are made anew below, since these columns need what only invoices know.
TRUNCATE invoice_part, invoice_group;

-- A bit for each combination of what has few values. NULL is an exchange that is not listed here yet.
CREATE FUNCTION app.invoice_cell(status text, invoice_type text, exchange text) RETURNS bigint
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN 1::bigint << (
    array_position(ARRAY['pending', 'paid', 'cancelled'], status) - 1
    + 3 * (array_position(ARRAY['regular', 'exchange_bot'], invoice_type) - 1)
    + 6 * CASE WHEN exchange IS NULL THEN 0
      ELSE array_position(ARRAY['bybit', 'binance', 'okx', 'kucoin', 'hyperliquid'], exchange) END);

-- How far the invoices of a row reach; the due dates of the open ones, which are neither settled nor archived.
ALTER TABLE invoice_part
  ADD first_created timestamptz NOT NULL,
  ADD min_amount numeric(38, 0) NOT NULL,
  ADD max_amount numeric(38, 0) NOT NULL,
  ADD first_due timestamptz,
  ADD last_due timestamptz,
  ADD CHECK (app.invoice_cell(status, invoice_type, exchange) IS NOT NULL);

-- The same of a group, and of what is unpaid of it. They tell whether any invoice of it matches a filter, and any
-- unpaid one: that is all that counting by tab needs.
ALTER TABLE invoice_group
  ADD cells bigint NOT NULL,
  ADD first_created timestamptz NOT NULL,
  ADD min_amount numeric(38, 0) NOT NULL,
  ADD max_amount numeric(38, 0) NOT NULL,
  ADD unpaid_first_created timestamptz,
  ADD unpaid_last_created timestamptz,
  ADD unpaid_min_amount numeric(38, 0),
  ADD unpaid_max_amount numeric(38, 0),
  ADD first_due timestamptz,
  ADD last_due timestamptz,
  -- Whether other providers have invoices of the trader as well: staff of several providers add up these, and read the
  -- rest as they are.
  ADD is_shared boolean NOT NULL,
  -- What is searched, in lower case once and for all.
  ADD searched text GENERATED ALWAYS AS (lower(reference)) STORED;

-- Row-level security asks for the provider of each row: an index answers alone only if it carries it.
DROP INDEX invoice_group_by_created, invoice_group_by_updated, invoice_group_by_amount;
CREATE INDEX invoice_group_by_created ON invoice_group (tab, last_created, trader_id)
  INCLUDE (provider_id, is_archived, searched) WHERE is_whole AND reference IS NOT NULL;
CREATE INDEX invoice_group_by_updated ON invoice_group (tab, last_updated, trader_id)
  INCLUDE (provider_id, is_archived, searched) WHERE is_whole AND reference IS NOT NULL;
CREATE INDEX invoice_group_by_amount ON invoice_group (tab, amount_units, trader_id)
  INCLUDE (provider_id, is_archived, searched) WHERE is_whole AND reference IS NOT NULL;
DROP INDEX invoice_group_of_provider_by_created, invoice_group_of_provider_by_updated,
  invoice_group_of_provider_by_amount;
CREATE INDEX invoice_group_of_provider_by_created ON invoice_group (provider_id, tab, last_created, trader_id)
  INCLUDE (is_shared, is_archived, searched) WHERE NOT is_whole AND reference IS NOT NULL;
CREATE INDEX invoice_group_of_provider_by_updated ON invoice_group (provider_id, tab, last_updated, trader_id)
  INCLUDE (is_shared, is_archived, searched) WHERE NOT is_whole AND reference IS NOT NULL;
CREATE INDEX invoice_group_of_provider_by_amount ON invoice_group (provider_id, tab, amount_units, trader_id)
  INCLUDE (is_shared, is_archived, searched) WHERE NOT is_whole AND reference IS NOT NULL;
CREATE INDEX invoice_group_shared ON invoice_group (provider_id, trader_id) WHERE is_shared AND NOT is_whole;
CREATE INDEX invoice_group_by_reference ON invoice_group (reference, trader_id);

-- By trader, with all that filters and sums look at: groups are added up in this order, one after the other.
DROP INDEX invoice_by_trader;
CREATE INDEX invoice_by_trader ON invoice (trader_id, created_at)
  INCLUDE (provider_id, community_id, exchange, invoice_type, status, is_archived, amount_units, paid_units, due_at,
    updated_at);
ALTER TABLE invoice_part
  DROP CONSTRAINT invoice_part_trader_id_is_archived_provider_id_community_id_key,
  ADD UNIQUE NULLS NOT DISTINCT (trader_id, is_archived, provider_id, community_id, exchange, invoice_type, status)
    INCLUDE (reference, invoices, amount_units, last_created, last_updated);

-- Where a filter divides groups, the newest come first by walking these.
CREATE INDEX invoice_part_by_created ON invoice_part (last_created);
CREATE INDEX invoice_part_by_updated ON invoice_part (last_updated);

-- As before, with the columns above.
CREATE OR REPLACE FUNCTION app.refresh_invoice_sums(trader_ids uuid[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  PERFORM FROM trader WHERE id = ANY (trader_ids) ORDER BY id FOR NO KEY UPDATE;
  DELETE FROM invoice_part WHERE trader_id = ANY (trader_ids);
  INSERT INTO invoice_part (trader_id, provider_id, community_id, exchange, invoice_type, status, is_archived,
    reference, invoices, part_paid, overpaid, amount_units, paid_units, last_created, last_updated, first_created,
    min_amount, max_amount, first_due, last_due)
  SELECT i.trader_id, i.provider_id, i.community_id, i.exchange, i.invoice_type, i.status, i.is_archived,
    -- A reference number that reads like the name of the group of those without one belongs to that group.
    nullif(min(t.reference_number), 'unknown'), count(*)::int,
    count(*) FILTER (WHERE i.status = 'pending' AND i.paid_units > 0 AND i.paid_units < i.amount_units)::int,
    count(*) FILTER (WHERE i.paid_units > i.amount_units)::int,
    sum(i.amount_units), sum(i.paid_units), max(i.created_at), max(i.updated_at), min(i.created_at),
    min(i.amount_units), max(i.amount_units),
    CASE WHEN i.status = 'pending' AND NOT i.is_archived THEN min(i.due_at) END,
    CASE WHEN i.status = 'pending' AND NOT i.is_archived THEN max(i.due_at) END
  FROM invoice i JOIN trader t ON t.id = i.trader_id
  WHERE i.trader_id = ANY (trader_ids)
  GROUP BY i.trader_id, i.provider_id, i.community_id, i.exchange, i.invoice_type, i.status, i.is_archived;

  DELETE FROM invoice_group WHERE trader_id = ANY (trader_ids);
  INSERT INTO invoice_group (trader_id, provider_id, is_archived, is_shared, reference, invoices, unpaid, part_paid,
    overpaid, amount_units, paid_units, last_created, last_updated, cells, first_created, min_amount, max_amount,
    unpaid_first_created, unpaid_last_created, unpaid_min_amount, unpaid_max_amount, first_due, last_due)
  SELECT p.trader_id, seen.provider_id, p.is_archived,
    count(seen.provider_id) OVER (PARTITION BY p.trader_id, p.is_archived) > 1,
    min(p.reference), sum(p.invoices)::int,
    coalesce(sum(p.invoices) FILTER (WHERE p.status <> 'paid'), 0)::int, sum(p.part_paid)::int, sum(p.overpaid)::int,
    sum(p.amount_units), sum(p.paid_units), max(p.last_created), max(p.last_updated),
    bit_or(app.invoice_cell(p.status, p.invoice_type, p.exchange)), min(p.first_created), min(p.min_amount),
    max(p.max_amount), min(p.first_created) FILTER (WHERE p.status <> 'paid'),
    max(p.last_created) FILTER (WHERE p.status <> 'paid'), min(p.min_amount) FILTER (WHERE p.status <> 'paid'),
    max(p.max_amount) FILTER (WHERE p.status <> 'paid'), min(p.first_due), max(p.last_due)
  FROM invoice_part p
  CROSS JOIN LATERAL (SELECT NULL::uuid AS provider_id
    UNION ALL SELECT p.provider_id WHERE p.provider_id IS NOT NULL) seen
  WHERE p.trader_id = ANY (trader_ids)
  GROUP BY p.trader_id, seen.provider_id, p.is_archived;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;

SELECT app.refresh_invoice_sums(ARRAY(SELECT DISTINCT trader_id FROM invoice));
