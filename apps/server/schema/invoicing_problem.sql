-- Written by `npm run generate` from a migrated database. Do not edit.

-- Read and written by the version before only; invoicing_line has it since.
CREATE TABLE invoicing_problem (
  run_id uuid NOT NULL,
  trader_id uuid NOT NULL,
  reason text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT invoicing_problem_pkey PRIMARY KEY (run_id, trader_id),
  CONSTRAINT invoicing_problem_reason_check
    CHECK (reason = ANY (ARRAY['split_exceeds_invoice', 'no_deposit_address', 'failed', 'unknown_profit'])),
  CONSTRAINT invoicing_problem_run_id_fkey FOREIGN KEY (run_id) REFERENCES invoicing_run(id) ON DELETE CASCADE,
  CONSTRAINT invoicing_problem_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE CASCADE
);

ALTER TABLE invoicing_problem ENABLE ROW LEVEL SECURITY;
ALTER TABLE invoicing_problem FORCE ROW LEVEL SECURITY;
CREATE POLICY invoicing_problem_scope ON invoicing_problem FOR ALL
  USING ((SELECT app.sees_all()));
