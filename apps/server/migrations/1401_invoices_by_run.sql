-- The invoices of a run, as it is recalled.
CREATE INDEX CONCURRENTLY invoice_by_run ON invoice (invoicing_run_id) WHERE invoicing_run_id IS NOT NULL;
