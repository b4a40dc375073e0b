-- Traders are asked for whole millionths of a USDT, rounded up: who pays what was asked has not overpaid.
CREATE FUNCTION app.is_overpaid(amount_units numeric, paid_units numeric) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN paid_units - amount_units >= 1000000000000;
GRANT EXECUTE ON FUNCTION app.is_overpaid(numeric, numeric) TO copydesk_app;

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
    count(*) FILTER (WHERE app.is_overpaid(i.amount_units, i.paid_units))::int,
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

SELECT app.open_scope();
UPDATE invoice_part p SET overpaid = (SELECT count(*) FROM invoice i
  WHERE i.trader_id = p.trader_id AND i.is_archived = p.is_archived AND i.community_id = p.community_id
    AND i.provider_id IS NOT DISTINCT FROM p.provider_id AND i.exchange IS NOT DISTINCT FROM p.exchange
    AND i.invoice_type = p.invoice_type AND i.status = p.status AND app.is_overpaid(i.amount_units, i.paid_units))
WHERE p.overpaid > 0;
UPDATE invoice_group g SET overpaid = (SELECT coalesce(sum(p.overpaid), 0)::int FROM invoice_part p
  WHERE p.trader_id = g.trader_id AND p.is_archived = g.is_archived
    AND (g.is_whole OR p.provider_id = g.provider_id))
WHERE g.overpaid > 0;
