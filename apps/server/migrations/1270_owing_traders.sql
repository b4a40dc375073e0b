-- Workers list the traders that owe every few seconds: paid and archived invoices, which only grow, are left out.
CREATE INDEX CONCURRENTLY invoice_part_owing ON invoice_part (trader_id) WHERE status = 'pending' AND NOT is_archived;
