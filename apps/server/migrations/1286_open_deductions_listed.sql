CREATE INDEX CONCURRENTLY invoice_deduction_open ON invoice_deduction (decided_at DESC, id) WHERE is_open;
