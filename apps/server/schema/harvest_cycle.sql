-- Written by `npm run generate` from a migrated database. Do not edit.

-- Harvest cycles of a pooled account.
CREATE TABLE harvest_cycle (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  pooled_account_id uuid NOT NULL,
  cycle_number integer NOT NULL,
  status text NOT NULL DEFAULT 'stopped',
  version integer NOT NULL DEFAULT 1,
  deadline_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  step text NOT NULL DEFAULT 'trading',
  -- When the status changed last.
  since timestamptz NOT NULL DEFAULT now(),
  -- The status in which it failed; its step stays.
  failed_from text,
  -- A code: why it failed or waits.
  reason text,
  -- When the step changed last.
  step_since timestamptz NOT NULL DEFAULT now(),
  -- When the worker looks at the cycle next; NULL: an event has to come first.
  look_at timestamptz,
  -- The figures behind the reason.
  reason_detail text,
  -- The super admin who started it. Approvals are given by another one.
  started_by text,
  -- At the exchange, as read when trading had paused.
  start_balance_units numeric(38,0),
  approval_awaited_since timestamptz,
  -- How long a valuation waited for approval. It does not count toward the deadline.
  waited_ms bigint NOT NULL DEFAULT 0,
  -- The read whose valuation another super admin approved.
  approved_evidence_id uuid,
  -- The result that was approved: money that arrives afterwards makes another one, which has to be approved again.
  approved_result_units numeric(38,0),
  result_units numeric(38,0),
  -- Virtual balances when the pool stopped. The next valuation refuses another sum.
  frozen_capital_units numeric(38,0),
  is_closing_asked boolean NOT NULL DEFAULT false,
  -- The command to the trading bot, stored before it is sent. The bot obeys each id once.
  trading_request_id uuid,
  trading_command text,
  trading_requested_at timestamptz,
  trading_acknowledged_at timestamptz,
  -- Brings the fees from the proxy wallet to the community's wallet, which pays the invoices of the cycle.
  fee_transfer_id uuid,
  -- Balances that the valuation ends, as they were: its journals are derived from them again after a crash.
  valued_returned_units numeric(38,0),
  valued_exchange_units numeric(38,0),
  valued_lost_units numeric(38,0),
  valued_unexplained_units numeric(38,0),
  valued_uncovered_units numeric(38,0),
  -- Who approved the valuation. NULL: before this was recorded, or not approved.
  approved_by_id text,
  -- The part of what returned that is not the pool's, which the valuation made unexplained. NULL: none.
  valued_foreign_units numeric(38,0),
  -- When the result was decided. NULL: it is not.
  valued_at timestamptz,
  -- Until then one worker attends to the cycle.
  leased_until timestamptz,
  -- Fences off a worker that lost its lease.
  lease_number bigint NOT NULL DEFAULT 0,
  -- Per cent below the highest unit price with the result of this cycle: zero or less. NULL: the cycle has no
  -- result, or was valued by a version that did not note it.
  drawdown_percentage numeric,
  CONSTRAINT harvest_cycle_cycle_number_check CHECK (cycle_number > 0),
  CONSTRAINT harvest_cycle_failed_check CHECK ((status = 'failed') = (failed_from IS NOT NULL)),
  CONSTRAINT harvest_cycle_failed_why CHECK (status <> 'failed' OR reason IS NOT NULL),
  CONSTRAINT harvest_cycle_fee_transfer_id_fkey FOREIGN KEY (fee_transfer_id) REFERENCES transfer(id)
    ON DELETE RESTRICT,
  CONSTRAINT harvest_cycle_fee_transfer_id_key UNIQUE (fee_transfer_id),
  CONSTRAINT harvest_cycle_foreign
    CHECK (valued_foreign_units >= 0::numeric AND (valued_foreign_units IS NULL
    OR valued_foreign_units <= valued_returned_units)),
  CONSTRAINT harvest_cycle_pkey PRIMARY KEY (id),
  CONSTRAINT harvest_cycle_pooled_account_id_cycle_number_key UNIQUE (pooled_account_id, cycle_number),
  CONSTRAINT harvest_cycle_pooled_account_id_fkey FOREIGN KEY (pooled_account_id) REFERENCES pooled_account(id)
    ON DELETE RESTRICT,
  CONSTRAINT harvest_cycle_reason_check CHECK (reason ~ '^[a-z_]+$'),
  CONSTRAINT harvest_cycle_start_balance_units_check CHECK (start_balance_units >= 0::numeric),
  CONSTRAINT harvest_cycle_status_check
    CHECK (status = ANY (ARRAY['harvesting', 'stopped', 'starting_harvesting', 'stopping_harvesting',
    'awaiting_bybit_withdrawal', 'processing_invoices', 'failed'])),
  CONSTRAINT harvest_cycle_step_check CHECK (CASE COALESCE(failed_from, status) WHEN 'stopped' THEN step = 'trading'
    WHEN 'starting_harvesting' THEN step = ANY (ARRAY['pausing', 'checking'])
    WHEN 'awaiting_bybit_withdrawal' THEN step = 'withdrawing'
    WHEN 'processing_invoices' THEN step = ANY (ARRAY['valuing', 'opening'])
    WHEN 'harvesting' THEN step = ANY (ARRAY['open', 'closing'])
    WHEN 'stopping_harvesting' THEN step = ANY (ARRAY['planning', 'sending', 'crediting', 'moving', 'resuming'])
    ELSE false END),
  CONSTRAINT harvest_cycle_trading
    CHECK ((trading_request_id IS NULL) = (trading_command IS NULL)
    AND (trading_request_id IS NULL) = (trading_requested_at IS NULL)),
  CONSTRAINT harvest_cycle_trading_command_check CHECK (trading_command = ANY (ARRAY['pause', 'resume'])),
  CONSTRAINT harvest_cycle_valued
    CHECK (num_nonnulls(result_units, valued_returned_units, valued_exchange_units, valued_lost_units,
    valued_unexplained_units, valued_uncovered_units) = ANY (ARRAY[0, 6])),
  CONSTRAINT harvest_cycle_waited_ms_check CHECK (waited_ms >= 0)
);

CREATE UNIQUE INDEX harvest_cycle_current ON harvest_cycle (pooled_account_id) WHERE ended_at IS NULL;
CREATE INDEX harvest_cycle_due ON harvest_cycle (look_at) WHERE ended_at IS NULL AND look_at IS NOT NULL;
CREATE INDEX harvest_cycle_ended ON harvest_cycle (ended_at) WHERE ended_at IS NOT NULL;

ALTER TABLE harvest_cycle ENABLE ROW LEVEL SECURITY;
ALTER TABLE harvest_cycle FORCE ROW LEVEL SECURITY;
CREATE POLICY harvest_cycle_scope ON harvest_cycle FOR ALL
  USING ((SELECT app.sees_all()) OR (EXISTS (SELECT FROM pooled_account p
    WHERE p.id = harvest_cycle.pooled_account_id)))
  WITH CHECK ((SELECT app.sees_all()));

CREATE TRIGGER harvest_cycle_added AFTER INSERT ON harvest_cycle FOR EACH ROW EXECUTE FUNCTION app.pool_written();
CREATE TRIGGER harvest_cycle_begins BEFORE INSERT ON harvest_cycle FOR EACH ROW WHEN (app.is_api())
  EXECUTE FUNCTION app.refuse_cycle();
CREATE TRIGGER harvest_cycle_freezes BEFORE UPDATE OF status ON harvest_cycle FOR EACH ROW
  WHEN (old.status = 'harvesting' AND new.status = 'stopping_harvesting') EXECUTE FUNCTION app.freeze_shares();
CREATE TRIGGER harvest_cycle_moves BEFORE UPDATE ON harvest_cycle FOR EACH ROW WHEN (app.is_api())
  EXECUTE FUNCTION app.refuse_cycle_move();
CREATE TRIGGER harvest_cycle_valued_at BEFORE UPDATE OF result_units ON harvest_cycle FOR EACH ROW
  WHEN (old.result_units IS NULL AND new.result_units IS NOT NULL) EXECUTE FUNCTION app.note_valued();
CREATE TRIGGER harvest_cycle_written AFTER UPDATE ON harvest_cycle FOR EACH ROW
  WHEN (new.version IS DISTINCT FROM old.version OR new.reason IS DISTINCT FROM old.reason
  OR new.reason_detail IS DISTINCT FROM old.reason_detail
  OR new.approval_awaited_since IS DISTINCT FROM old.approval_awaited_since
  OR new.trading_acknowledged_at IS DISTINCT FROM old.trading_acknowledged_at) EXECUTE FUNCTION app.pool_written();
CREATE TRIGGER harvest_due AFTER UPDATE OF look_at ON harvest_cycle FOR EACH ROW WHEN (new.look_at <= now())
  EXECUTE FUNCTION app.announce_work();
CREATE TRIGGER no_worker_approves BEFORE UPDATE OF approved_evidence_id, approved_result_units ON harvest_cycle
  FOR EACH ROW
  WHEN (new.approved_evidence_id IS NOT NULL AND (new.approved_evidence_id IS DISTINCT FROM old.approved_evidence_id
  OR new.approved_result_units IS DISTINCT FROM old.approved_result_units) AND app.is_worker())
  EXECUTE FUNCTION app.refuse_worker();
