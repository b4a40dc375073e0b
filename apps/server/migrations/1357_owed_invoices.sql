CREATE INDEX CONCURRENTLY invoice_owed ON invoice (due_at) INCLUDE (trader_id, provider_id, amount_units, paid_units)
  WHERE status = 'pending' AND NOT is_archived AND harvest_cycle_id IS NULL AND invoice_type = 'regular';
