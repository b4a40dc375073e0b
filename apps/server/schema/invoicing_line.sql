-- Written by `npm run generate` from a migrated database. Do not edit.

-- A trader of a run: what is invoiced, or why it is not.
CREATE TABLE invoicing_line (
  run_id uuid NOT NULL,
  trader_id uuid NOT NULL,
  invoices integer NOT NULL DEFAULT 0,
  positions integer NOT NULL DEFAULT 0,
  amount_units numeric(38,0) NOT NULL DEFAULT 0,
  -- Below the minimum of an invoice: it waits for more.
  carried_units numeric(38,0) NOT NULL DEFAULT 0,
  -- Why something is not invoiced, beside what is.
  reason text,
  -- A person left the trader out of this run.
  is_excluded boolean NOT NULL DEFAULT false,
  outcome text NOT NULL GENERATED ALWAYS AS (CASE WHEN is_excluded THEN 'excluded' WHEN invoices > 0 THEN 'invoice'
    WHEN carried_units > 0::numeric THEN 'carried' ELSE 'left_out' END) STORED,
  CONSTRAINT invoicing_line_amount_units_check CHECK (amount_units >= 0::numeric),
  CONSTRAINT invoicing_line_carried_units_check CHECK (carried_units >= 0::numeric),
  CONSTRAINT invoicing_line_check CHECK (NOT is_excluded OR invoices > 0),
  CONSTRAINT invoicing_line_invoices_check CHECK (invoices >= 0),
  CONSTRAINT invoicing_line_pkey PRIMARY KEY (run_id, trader_id),
  CONSTRAINT invoicing_line_positions_check CHECK (positions >= 0),
  CONSTRAINT invoicing_line_reason_check
    CHECK (reason = ANY (ARRAY['split_exceeds_invoice', 'no_deposit_address', 'failed', 'unknown_profit', 'changed',
    'invoicing_off', 'nothing_due'])),
  CONSTRAINT invoicing_line_run_id_fkey FOREIGN KEY (run_id) REFERENCES invoicing_run(id) ON DELETE CASCADE,
  CONSTRAINT invoicing_line_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE CASCADE
);

CREATE INDEX invoicing_line_by_amount ON invoicing_line (run_id, amount_units DESC, trader_id);
CREATE INDEX invoicing_line_by_outcome ON invoicing_line (run_id, outcome, amount_units DESC, trader_id);
CREATE INDEX invoicing_line_by_trader ON invoicing_line (trader_id);
CREATE INDEX invoicing_line_with_reason ON invoicing_line (run_id, reason) WHERE reason IS NOT NULL;

ALTER TABLE invoicing_line ENABLE ROW LEVEL SECURITY;
ALTER TABLE invoicing_line FORCE ROW LEVEL SECURITY;
CREATE POLICY invoicing_line_scope ON invoicing_line FOR ALL
  USING ((SELECT app.sees_all()));
