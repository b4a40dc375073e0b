-- Runs say how much of them was recalled.
CREATE INDEX CONCURRENTLY invoice_recalled_of_run ON invoice (invoicing_run_id) INCLUDE (amount_units)
  WHERE recalled_at IS NOT NULL;
