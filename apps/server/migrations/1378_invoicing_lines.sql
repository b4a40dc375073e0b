-- A run can be prepared as a draft: a person looks at what it would invoice, leaves traders out, and sends it. Every run keeps
-- what became of each trader.

-- compatible: the constraints that follow take every row of these
ALTER TABLE invoicing_run DROP CONSTRAINT invoicing_run_state_check;
-- compatible: as above
ALTER TABLE invoicing_run DROP CONSTRAINT invoicing_run_check1;
-- A draft is sent under a state of its own: a worker of the version before would invoice every trader of a run.
ALTER TABLE invoicing_run ADD CONSTRAINT invoicing_run_state_check
  CHECK (state IN ('preparing', 'draft', 'running', 'sending', 'done', 'discarded')) NOT VALID;
ALTER TABLE invoicing_run ADD CONSTRAINT invoicing_run_finished
  CHECK ((state IN ('done', 'discarded')) = (finished_at IS NOT NULL)) NOT VALID;
ALTER TABLE invoicing_run ADD COLUMN drafted_at timestamptz, ADD COLUMN sent_by text,
  ADD COLUMN to_invoice integer NOT NULL DEFAULT 0, ADD COLUMN excluded integer NOT NULL DEFAULT 0,
  ADD COLUMN excluded_units numeric(38,0) NOT NULL DEFAULT 0, ADD COLUMN carried integer NOT NULL DEFAULT 0,
  ADD COLUMN carried_units numeric(38,0) NOT NULL DEFAULT 0, ADD COLUMN left_out integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN invoicing_run.drafted_at IS
  'Of a run that was prepared as a draft: it invoices what was stored until then. NULL: it was sent at once.';
COMMENT ON COLUMN invoicing_run.to_invoice IS 'Its lines by outcome, as excluded, carried and left_out.';

CREATE TABLE invoicing_line (
  run_id uuid NOT NULL REFERENCES invoicing_run(id) ON DELETE CASCADE,
  trader_id uuid NOT NULL REFERENCES trader(id) ON DELETE CASCADE,
  invoices integer NOT NULL DEFAULT 0 CHECK (invoices >= 0),
  positions integer NOT NULL DEFAULT 0 CHECK (positions >= 0),
  amount_units numeric(38,0) NOT NULL DEFAULT 0 CHECK (amount_units >= 0),
  carried_units numeric(38,0) NOT NULL DEFAULT 0 CHECK (carried_units >= 0),
  reason text CHECK (reason IN ('split_exceeds_invoice', 'no_deposit_address', 'failed', 'unknown_profit', 'changed',
    'invoicing_off', 'nothing_due')),
  is_excluded boolean NOT NULL DEFAULT false,
  outcome text NOT NULL GENERATED ALWAYS AS (CASE WHEN is_excluded THEN 'excluded' WHEN invoices > 0 THEN 'invoice'
    WHEN carried_units > 0 THEN 'carried' ELSE 'left_out' END) STORED,
  PRIMARY KEY (run_id, trader_id),
  CHECK (NOT is_excluded OR invoices > 0)
);
COMMENT ON TABLE invoicing_line IS 'A trader of a run: what is invoiced, or why it is not.';
COMMENT ON COLUMN invoicing_line.carried_units IS 'Below the minimum of an invoice: it waits for more.';
COMMENT ON COLUMN invoicing_line.reason IS 'Why something is not invoiced, beside what is.';
COMMENT ON COLUMN invoicing_line.is_excluded IS 'A person left the trader out of this run.';
CREATE INDEX invoicing_line_by_amount ON invoicing_line (run_id, amount_units DESC, trader_id);
CREATE INDEX invoicing_line_by_outcome ON invoicing_line (run_id, outcome, amount_units DESC, trader_id);
CREATE INDEX invoicing_line_with_reason ON invoicing_line (run_id, reason) WHERE reason IS NOT NULL;
CREATE INDEX invoicing_line_by_trader ON invoicing_line (trader_id);
ALTER TABLE invoicing_line ENABLE ROW LEVEL SECURITY;
ALTER TABLE invoicing_line FORCE ROW LEVEL SECURITY;
CREATE POLICY invoicing_line_scope ON invoicing_line USING ((SELECT app.sees_all()));

INSERT INTO invoicing_line (run_id, trader_id, reason)
  SELECT run_id, trader_id, reason FROM invoicing_problem;
UPDATE invoicing_run r SET left_out = (SELECT count(*) FROM invoicing_line l WHERE l.run_id = r.id);
COMMENT ON TABLE invoicing_problem IS 'Read and written by the version before only; invoicing_line has it since.';

CREATE TRIGGER invoicing_run_sent AFTER UPDATE OF state ON invoicing_run FOR EACH ROW
  WHEN (NEW.state = 'sending' AND OLD.state = 'draft') EXECUTE FUNCTION app.announce_work();

-- A higher minimum takes two people: it stops invoices. A lower one does not.
CREATE OR REPLACE FUNCTION app.setting_needs_second(setting text, previous jsonb, wanted jsonb) RETURNS boolean
  LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  CASE setting
    WHEN 'approval_above_usdt', 'write_off_above_usdt', 'payout_max_per_transaction', 'payout_max_per_day',
      'chain_max_fee_gwei', 'tip_up_to_usdt', 'minimum_invoice_usdt' THEN
      RETURN previous <> 'null' AND (wanted = 'null' OR (wanted #>> '{}')::numeric > (previous #>> '{}')::numeric);
    WHEN 'approver_min_hours', 'payout_address_hold_hours' THEN
      RETURN (wanted #>> '{}')::numeric < (previous #>> '{}')::numeric
        OR ((wanted #>> '{}')::numeric > (previous #>> '{}')::numeric AND (wanted #>> '{}')::numeric > 72);
    WHEN 'stop_after_set_aside' THEN
      -- Zero is the loosest.
      RETURN (previous #>> '{}')::numeric <> 0 AND ((wanted #>> '{}')::numeric = 0
        OR (wanted #>> '{}')::numeric > (previous #>> '{}')::numeric);
    WHEN 'egress_addresses' THEN
      RETURN NOT previous @> wanted;
    WHEN 'commission_rate', 'invoice_due_days', 'vip_tiers', 'community_plans' THEN
      RETURN false;
    ELSE
      RETURN true;
  END CASE;
END
$$;
