-- The provider share of a group depends on the type of its invoices: the index of the group without reference numbers
-- answers alone only if it has the type.
CREATE INDEX CONCURRENTLY invoice_part_without_reference ON invoice_part (trader_id)
  INCLUDE (provider_id, is_archived, reference, invoice_type, status, invoices, part_paid, overpaid, amount_units,
    paid_units, on_chain_units, off_platform_units, last_created, last_updated)
  WHERE reference IS NULL;
