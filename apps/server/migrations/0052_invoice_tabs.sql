-- Groups of invoices by what they wait for: a group is unpaid while an invoice of it is pending. What is neither (paid
-- and cancelled ones together) is a tab of its own, shown under All. Sums of what was settled off the platform, and
-- whether a provider sees a part of its traders' invoices only.

SELECT set_config('copydesk.scope', 'all', true), set_config('copydesk.bulk', 'on', true);

-- What of the paid amount is known to have come in on chain.
CREATE FUNCTION app.on_chain_units(paid numeric, off_platform numeric) RETURNS numeric
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN greatest(paid - off_platform, 0);

-- What was settled elsewhere: what an import claims and the chain does not have, and all that was open when a person
-- marked the invoice as paid.
CREATE FUNCTION app.settled_elsewhere(status text, settled_by text, amount numeric, paid numeric, off_platform numeric)
  RETURNS numeric
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN status = 'paid' AND settled_by = 'manual'
    THEN greatest(amount - app.on_chain_units(paid, off_platform), 0) ELSE off_platform END;

GRANT EXECUTE ON FUNCTION app.on_chain_units(numeric, numeric),
  app.settled_elsewhere(text, text, numeric, numeric, numeric) TO copydesk_app;

-- All sums are made anew below.
TRUNCATE invoice_part, invoice_group;

ALTER TABLE invoice_part
  ADD on_chain_units numeric(38, 0) NOT NULL,
  ADD off_platform_units numeric(38, 0) NOT NULL;

-- The groups without a reference number are added up from this index alone.
DROP INDEX invoice_part_unknown;
CREATE INDEX invoice_part_unknown ON invoice_part (trader_id)
  INCLUDE (provider_id, is_archived, reference, status, invoices, part_paid, overpaid, amount_units, paid_units,
    on_chain_units, off_platform_units, last_created, last_updated)
  WHERE reference IS NULL;

ALTER TABLE invoice_group
  ADD pending integer NOT NULL,
  -- How far the pending ones reach, as unpaid_* does for all that are not paid.
  ADD pending_first_created timestamptz,
  ADD pending_last_created timestamptz,
  ADD pending_min_amount numeric(38, 0),
  ADD pending_max_amount numeric(38, 0),
  -- Of all providers together: more than `invoices` where a provider sees a part.
  ADD whole_invoices integer NOT NULL,
  ALTER tab SET EXPRESSION AS (
    CASE WHEN is_archived THEN 'archived' WHEN unpaid = 0 THEN 'paid' WHEN pending > 0 THEN 'unpaid' ELSE 'other' END);

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

SELECT app.refresh_invoice_sums(ARRAY(SELECT DISTINCT trader_id FROM invoice));
