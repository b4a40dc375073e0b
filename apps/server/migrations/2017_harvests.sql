-- Cycles of pools: shares frozen, results valued, fees taken, capital moved.

CREATE TABLE harvest_cycle (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  pooled_account_id uuid NOT NULL REFERENCES pooled_account ON DELETE RESTRICT,
  cycle_number integer NOT NULL CHECK (cycle_number > 0),
  status text NOT NULL DEFAULT 'stopped'
    CHECK (status IN ('harvesting', 'stopped', 'starting_harvesting', 'stopping_harvesting',
    'awaiting_bybit_withdrawal', 'processing_invoices', 'failed')),
  version integer NOT NULL DEFAULT 1,
  deadline_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  step text NOT NULL DEFAULT 'trading',
  since timestamptz NOT NULL DEFAULT now(),
  failed_from text,
  reason text CHECK (reason ~ '^[a-z_]+$'),
  step_since timestamptz NOT NULL DEFAULT now(),
  look_at timestamptz,
  reason_detail text,
  started_by text,
  start_balance_units numeric(38,0) CHECK (start_balance_units >= 0),
  approval_awaited_since timestamptz,
  waited_ms bigint NOT NULL DEFAULT 0 CHECK (waited_ms >= 0),
  approved_evidence_id uuid,
  approved_result_units numeric(38,0),
  result_units numeric(38,0),
  frozen_capital_units numeric(38,0),
  is_closing_asked boolean NOT NULL DEFAULT false,
  trading_request_id uuid,
  trading_command text CHECK (trading_command IN ('pause', 'resume')),
  trading_requested_at timestamptz,
  trading_acknowledged_at timestamptz,
  fee_transfer_id uuid UNIQUE REFERENCES transfer ON DELETE RESTRICT,
  valued_returned_units numeric(38,0),
  valued_exchange_units numeric(38,0),
  valued_lost_units numeric(38,0),
  valued_unexplained_units numeric(38,0),
  valued_uncovered_units numeric(38,0),
  approved_by_id text,
  valued_foreign_units numeric(38,0),
  valued_at timestamptz,
  leased_until timestamptz,
  lease_number bigint NOT NULL DEFAULT 0,
  drawdown_percentage numeric,
  CONSTRAINT harvest_cycle_pooled_account_id_cycle_number_key UNIQUE (pooled_account_id, cycle_number),
  CONSTRAINT harvest_cycle_failed_check CHECK ((status = 'failed') = (failed_from IS NOT NULL)),
  CONSTRAINT harvest_cycle_failed_why CHECK (status <> 'failed' OR reason IS NOT NULL),
  CONSTRAINT harvest_cycle_foreign
    CHECK (valued_foreign_units >= 0 AND (valued_foreign_units IS NULL
    OR valued_foreign_units <= valued_returned_units)),
  CONSTRAINT harvest_cycle_step_check CHECK (CASE COALESCE(failed_from, status) WHEN 'stopped' THEN step = 'trading'
    WHEN 'starting_harvesting' THEN step IN ('pausing', 'checking')
    WHEN 'awaiting_bybit_withdrawal' THEN step = 'withdrawing'
    WHEN 'processing_invoices' THEN step IN ('valuing', 'opening') WHEN 'harvesting' THEN step IN ('open', 'closing')
    WHEN 'stopping_harvesting' THEN step IN ('planning', 'sending', 'crediting', 'moving', 'resuming')
    ELSE false END),
  CONSTRAINT harvest_cycle_trading
    CHECK ((trading_request_id IS NULL) = (trading_command IS NULL)
    AND (trading_request_id IS NULL) = (trading_requested_at IS NULL)),
  CONSTRAINT harvest_cycle_valued
    CHECK (num_nonnulls(result_units, valued_returned_units, valued_exchange_units, valued_lost_units,
    valued_unexplained_units, valued_uncovered_units) = ANY (ARRAY[0, 6]))
);
COMMENT ON TABLE harvest_cycle IS 'Harvest cycles of a pooled account.';
COMMENT ON COLUMN harvest_cycle.since IS 'When the status changed last.';
COMMENT ON COLUMN harvest_cycle.failed_from IS 'The status in which it failed; its step stays.';
COMMENT ON COLUMN harvest_cycle.reason IS 'A code: why it failed or waits.';
COMMENT ON COLUMN harvest_cycle.step_since IS 'When the step changed last.';
COMMENT ON COLUMN harvest_cycle.look_at IS 'When the worker looks at the cycle next; NULL: an event has to come first.';
COMMENT ON COLUMN harvest_cycle.reason_detail IS 'The figures behind the reason.';
COMMENT ON COLUMN harvest_cycle.started_by IS 'The super admin who started it. Approvals are given by another one.';
COMMENT ON COLUMN harvest_cycle.start_balance_units IS 'At the exchange, as read when trading had paused.';
COMMENT ON COLUMN harvest_cycle.waited_ms IS
  'How long a valuation waited for approval. It does not count toward the deadline.';
COMMENT ON COLUMN harvest_cycle.approved_evidence_id IS 'The read whose valuation another super admin approved.';
COMMENT ON COLUMN harvest_cycle.approved_result_units IS
  'The result that was approved: money that arrives afterwards makes another one, which has to be approved again.';
COMMENT ON COLUMN harvest_cycle.frozen_capital_units IS
  'Virtual balances when the pool stopped. The next valuation refuses another sum.';
COMMENT ON COLUMN harvest_cycle.trading_request_id IS
  'The command to the trading bot, stored before it is sent. The bot obeys each id once.';
COMMENT ON COLUMN harvest_cycle.fee_transfer_id IS
  'Brings the fees from the proxy wallet to the community''s wallet, which pays the invoices of the cycle.';
COMMENT ON COLUMN harvest_cycle.valued_returned_units IS
  'Balances that the valuation ends, as they were: its journals are derived from them again after a crash.';
COMMENT ON COLUMN harvest_cycle.approved_by_id IS
  'Who approved the valuation. NULL: before this was recorded, or not approved.';
COMMENT ON COLUMN harvest_cycle.valued_foreign_units IS
  'The part of what returned that is not the pool''s, which the valuation made unexplained. NULL: none.';
COMMENT ON COLUMN harvest_cycle.valued_at IS 'When the result was decided. NULL: it is not.';
COMMENT ON COLUMN harvest_cycle.leased_until IS 'Until then one worker attends to the cycle.';
COMMENT ON COLUMN harvest_cycle.lease_number IS 'Fences off a worker that lost its lease.';
COMMENT ON COLUMN harvest_cycle.drawdown_percentage IS
  'Per cent below the highest unit price with the result of this cycle: zero or less. NULL: the cycle has no result, or was valued by a version that did not note it.';
CREATE UNIQUE INDEX harvest_cycle_current ON harvest_cycle (pooled_account_id) WHERE ended_at IS NULL;
CREATE INDEX harvest_cycle_due ON harvest_cycle (look_at) WHERE ended_at IS NULL AND look_at IS NOT NULL;
-- For the cycles that have ended today, among all that ever did.
CREATE INDEX harvest_cycle_ended ON harvest_cycle (ended_at) WHERE ended_at IS NOT NULL;

ALTER TABLE harvest_cycle ENABLE ROW LEVEL SECURITY;
ALTER TABLE harvest_cycle FORCE ROW LEVEL SECURITY;
CREATE POLICY harvest_cycle_scope ON harvest_cycle
  USING ((SELECT app.sees_all()) OR EXISTS (
    SELECT FROM pooled_account p WHERE p.id = harvest_cycle.pooled_account_id))
  WITH CHECK ((SELECT app.sees_all()));

CREATE TRIGGER harvest_cycle_added AFTER INSERT ON harvest_cycle
  FOR EACH ROW EXECUTE FUNCTION app.pool_written();
CREATE TRIGGER harvest_cycle_written AFTER UPDATE ON harvest_cycle
  FOR EACH ROW WHEN ((NEW.version, NEW.reason, NEW.reason_detail, NEW.approval_awaited_since, NEW.trading_acknowledged_at)
    IS DISTINCT FROM (OLD.version, OLD.reason, OLD.reason_detail, OLD.approval_awaited_since, OLD.trading_acknowledged_at))
  EXECUTE FUNCTION app.pool_written();
CREATE TRIGGER harvest_due AFTER UPDATE OF look_at ON harvest_cycle
  FOR EACH ROW WHEN (NEW.look_at <= now()) EXECUTE FUNCTION app.announce_work();

-- The sum of virtual balances is kept by triggers from the ledger.
CREATE FUNCTION app.freeze_shares() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  NEW.frozen_capital_units := (SELECT s.capital_units FROM pool_sum s WHERE s.pooled_account_id = NEW.pooled_account_id);
  RETURN NEW;
END
$$;

CREATE TRIGGER harvest_cycle_freezes BEFORE UPDATE OF status ON harvest_cycle FOR EACH ROW
  WHEN (OLD.status = 'harvesting' AND NEW.status = 'stopping_harvesting') EXECUTE FUNCTION app.freeze_shares();

CREATE FUNCTION app.refuse_cycle_move() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
DECLARE
  is_move boolean := (NEW.status, NEW.step, NEW.failed_from) IS DISTINCT FROM (OLD.status, OLD.step, OLD.failed_from);
  is_start boolean := is_move AND OLD.status = 'stopped';
  is_stop boolean := is_move AND OLD.status = 'harvesting' AND NEW.status = 'stopping_harvesting';
  is_abort boolean := is_move AND NEW.status = 'stopped' AND OLD.status <> 'stopping_harvesting';
BEGIN
  IF is_move IS DISTINCT FROM (NEW.version = OLD.version + 1) OR NOT is_move AND NEW.version <> OLD.version
    OR is_move AND NOT app.may_move_cycle(OLD.status, OLD.step, OLD.failed_from, NEW.status, NEW.step, NEW.failed_from)
    -- Its result was decided: the next cycle trades.
    OR is_start AND OLD.frozen_capital_units IS NOT NULL
    OR is_move AND OLD.status = 'failed' AND (NEW.status, NEW.step) <> (OLD.failed_from, OLD.step) AND NOT EXISTS (
      SELECT FROM harvest_resolution r WHERE r.cycle_id = OLD.id AND r.version = OLD.version AND r.replaced_at IS NULL
        AND r.kind = CASE NEW.step WHEN 'planning' THEN 'funding_bounced' ELSE 'funding_lost' END)
    OR NOT is_move AND (NEW.since, NEW.step_since, NEW.started_at) IS DISTINCT FROM (OLD.since, OLD.step_since, OLD.started_at)
    OR NEW.started_by IS DISTINCT FROM OLD.started_by AND NOT is_start AND NOT (is_abort AND NEW.started_by IS NULL)
    OR NEW.start_balance_units IS DISTINCT FROM OLD.start_balance_units
      AND NOT (is_abort AND NEW.start_balance_units IS NULL)
    OR NEW.frozen_capital_units IS DISTINCT FROM OLD.frozen_capital_units AND NOT is_stop
    OR NEW.ended_at IS DISTINCT FROM OLD.ended_at AND (is_move OR OLD.ended_at IS NOT NULL OR OLD.status <> 'stopped'
      OR OLD.frozen_capital_units IS NULL)
    OR OLD.ended_at IS NOT NULL THEN
    RAISE EXCEPTION 'people move a cycle by its transitions, and workers write its figures'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF (NEW.approved_evidence_id, NEW.approved_result_units, NEW.approved_by_id)
      IS DISTINCT FROM (OLD.approved_evidence_id, OLD.approved_result_units, OLD.approved_by_id)
    AND (NEW.step <> 'valuing' OR NOT EXISTS (
        SELECT FROM pool_evidence e WHERE e.id = NEW.approved_evidence_id AND e.cycle_id = NEW.id)
      OR app.is_independent(NEW.approved_by_id, coalesce(NEW.started_by, '')) IS NOT TRUE) THEN
    RAISE EXCEPTION 'a valuation is approved by an independent, confirmed super admin'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER harvest_cycle_moves BEFORE UPDATE ON harvest_cycle FOR EACH ROW
  WHEN (app.is_api()) EXECUTE FUNCTION app.refuse_cycle_move();

CREATE FUNCTION app.refuse_cycle() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM harvest_cycle h WHERE h.pooled_account_id = NEW.pooled_account_id
      AND h.cycle_number = NEW.cycle_number - 1 AND h.ended_at IS NOT NULL AND h.frozen_capital_units IS NOT NULL) THEN
    RAISE EXCEPTION 'a cycle follows one that ended' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER harvest_cycle_begins BEFORE INSERT ON harvest_cycle FOR EACH ROW
  WHEN (app.is_api()) EXECUTE FUNCTION app.refuse_cycle();
CREATE TRIGGER no_worker_approves BEFORE UPDATE OF approved_evidence_id, approved_result_units ON harvest_cycle
  FOR EACH ROW WHEN (NEW.approved_evidence_id IS NOT NULL
    AND (NEW.approved_evidence_id, NEW.approved_result_units)
      IS DISTINCT FROM (OLD.approved_evidence_id, OLD.approved_result_units) AND app.is_worker())
  EXECUTE FUNCTION app.refuse_worker();

-- The version before does not write it.
CREATE FUNCTION app.note_valued() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp
AS $$
BEGIN
  NEW.valued_at := now();
  RETURN NEW;
END
$$;

CREATE TRIGGER harvest_cycle_valued_at BEFORE UPDATE OF result_units ON harvest_cycle FOR EACH ROW
  WHEN (OLD.result_units IS NULL AND NEW.result_units IS NOT NULL) EXECUTE FUNCTION app.note_valued();

-- Start and frozen balance are written as they are: the trigger refuses other values.
REVOKE INSERT, UPDATE, DELETE ON harvest_cycle FROM copydesk_app;
GRANT INSERT (pooled_account_id, cycle_number, created_at, since, step_since) ON harvest_cycle TO copydesk_app;
GRANT UPDATE (status, version, deadline_at, started_at, ended_at, step, since, failed_from, reason, step_since,
  look_at, reason_detail, started_by, start_balance_units, approval_awaited_since, waited_ms, approved_evidence_id,
  approved_result_units, frozen_capital_units, trading_request_id, trading_command, trading_requested_at,
  trading_acknowledged_at, approved_by_id) ON harvest_cycle TO copydesk_app;
GRANT INSERT, UPDATE ON harvest_cycle TO copydesk_worker;

CREATE TABLE harvest_funding (
  cycle_id uuid NOT NULL REFERENCES harvest_cycle ON DELETE RESTRICT,
  attempt integer NOT NULL CHECK (attempt > 0),
  units numeric(38,0) NOT NULL CHECK (units >= 0),
  to_address text,
  transfer_id uuid UNIQUE REFERENCES transfer ON DELETE RESTRICT,
  state text NOT NULL DEFAULT 'planned'
    CHECK (state IN ('planned', 'ordered', 'sent', 'reverted', 'bounced', 'lost', 'credited')),
  credited_units numeric(38,0) NOT NULL DEFAULT 0 CHECK (credited_units >= 0),
  move_id uuid NOT NULL DEFAULT gen_random_uuid(),
  is_moved boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  failed_move_ids uuid[] NOT NULL DEFAULT '{}'::uuid[],
  PRIMARY KEY (cycle_id, attempt),
  CONSTRAINT harvest_funding_check CHECK ((transfer_id IS NULL) = (state = 'planned'))
);
COMMENT ON TABLE harvest_funding IS 'Transfers from a proxy wallet to the exchange, one for each attempt of a stop.';
COMMENT ON COLUMN harvest_funding.units IS '0: everything stays in the proxy wallet.';
COMMENT ON COLUMN harvest_funding.move_id IS
  'Id of the move to the trading wallet of the exchange, stored before the call: a repeat never moves twice.';
COMMENT ON COLUMN harvest_funding.failed_move_ids IS
  'Ids of moves that the exchange lists as failed. The present id replaced the last of them before it was used.';

ALTER TABLE harvest_funding ENABLE ROW LEVEL SECURITY;
ALTER TABLE harvest_funding FORCE ROW LEVEL SECURITY;
CREATE POLICY harvest_funding_scope ON harvest_funding USING ((SELECT app.sees_all()));

CREATE FUNCTION app.refuse_funding_state() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  IF NEW.state <> (CASE WHEN OLD.credited_units > 0 THEN 'credited' ELSE 'lost' END) OR NOT EXISTS (
      SELECT FROM harvest_cycle h JOIN harvest_resolution r ON r.cycle_id = h.id AND r.version = h.version - 1
      WHERE h.id = NEW.cycle_id AND r.kind = 'funding_lost' AND r.replaced_at IS NULL
        AND h.status = 'stopping_harvesting' AND h.step IN ('moving', 'resuming')) THEN
    RAISE EXCEPTION 'a funding is given up by a decision of two people' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER harvest_funding_given_up BEFORE UPDATE OF state ON harvest_funding FOR EACH ROW
  WHEN (app.is_api()) EXECUTE FUNCTION app.refuse_funding_state();

-- Of a funding, the API plans another attempt after one that reverted, and ends one that two people gave up.
REVOKE INSERT, UPDATE, DELETE ON harvest_funding FROM copydesk_app;
GRANT INSERT (cycle_id, attempt, units, to_address) ON harvest_funding TO copydesk_app;
GRANT UPDATE (state) ON harvest_funding TO copydesk_app;
GRANT INSERT, UPDATE ON harvest_funding TO copydesk_worker;

CREATE TABLE harvest_run (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  action text NOT NULL CHECK (action IN ('start', 'stop', 'retry')),
  goal text NOT NULL CHECK (goal IN ('start', 'stop')),
  requested_by_id text NOT NULL,
  requested_by text NOT NULL,
  retries_id uuid REFERENCES harvest_run,
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE harvest_run IS 'A start or stop of all pools together. It only observes: its pools go on alone.';

ALTER TABLE harvest_run ENABLE ROW LEVEL SECURITY;
ALTER TABLE harvest_run FORCE ROW LEVEL SECURITY;
CREATE POLICY harvest_run_scope ON harvest_run USING ((SELECT app.sees_all()));

CREATE TABLE harvest_run_item (
  run_id uuid NOT NULL REFERENCES harvest_run ON DELETE RESTRICT,
  pooled_account_id uuid NOT NULL REFERENCES pooled_account ON DELETE RESTRICT,
  cycle_id uuid NOT NULL REFERENCES harvest_cycle ON DELETE RESTRICT,
  state text NOT NULL DEFAULT 'moving' CHECK (state IN ('moving', 'awaiting', 'done', 'failed')),
  reason text,
  PRIMARY KEY (run_id, pooled_account_id)
);
COMMENT ON COLUMN harvest_run_item.state IS 'awaiting: the owner has to withdraw, which holds the pool no longer.';
CREATE INDEX harvest_run_item_open ON harvest_run_item (pooled_account_id) WHERE state IN ('moving', 'awaiting');

ALTER TABLE harvest_run_item ENABLE ROW LEVEL SECURITY;
ALTER TABLE harvest_run_item FORCE ROW LEVEL SECURITY;
CREATE POLICY harvest_run_item_scope ON harvest_run_item USING ((SELECT app.sees_all()));

CREATE TABLE harvest_resolution (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  cycle_id uuid NOT NULL REFERENCES harvest_cycle ON DELETE RESTRICT,
  version integer NOT NULL,
  kind text NOT NULL CHECK (kind IN ('repeat', 'funding_bounced', 'funding_lost', 'abort')),
  evidence text NOT NULL CHECK (btrim(evidence) <> ''),
  requested_by_id text NOT NULL,
  requested_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  replaced_at timestamptz
);
COMMENT ON TABLE harvest_resolution IS
  'A decision that one super admin proposes with evidence and another one confirms. A change of the cycle ends it.';
COMMENT ON COLUMN harvest_resolution.replaced_at IS 'When another proposal took its place.';
CREATE UNIQUE INDEX harvest_resolution_open ON harvest_resolution (cycle_id, version) WHERE replaced_at IS NULL;

ALTER TABLE harvest_resolution ENABLE ROW LEVEL SECURITY;
ALTER TABLE harvest_resolution FORCE ROW LEVEL SECURITY;
CREATE POLICY harvest_resolution_scope ON harvest_resolution USING ((SELECT app.sees_all()));

REVOKE UPDATE, DELETE ON harvest_resolution FROM copydesk_app;
GRANT UPDATE (replaced_at) ON harvest_resolution TO copydesk_app;

CREATE TABLE harvest_allocation (
  cycle_id uuid NOT NULL REFERENCES harvest_cycle ON DELETE RESTRICT,
  member_id uuid NOT NULL REFERENCES pool_member ON DELETE RESTRICT,
  place integer NOT NULL CHECK (place >= 0),
  share_units numeric(38, 0) NOT NULL CHECK (share_units >= 0),
  allocated_units numeric(38, 0) NOT NULL,
  winners_units numeric(38, 0) NOT NULL CHECK (winners_units >= 0),
  carry_before_units numeric(38, 0),
  carry_after_units numeric(38, 0),
  fee_units numeric(38, 0) CHECK (fee_units >= 0),
  capital_after_units numeric(38, 0) CHECK (capital_after_units >= 0),
  provider_id uuid REFERENCES provider,
  invoice_id uuid UNIQUE REFERENCES invoice ON DELETE RESTRICT,
  booked_at timestamptz,
  PRIMARY KEY (cycle_id, member_id),
  UNIQUE (cycle_id, place),
  CHECK ((booked_at IS NULL) = (fee_units IS NULL)),
  CHECK ((booked_at IS NULL) = (capital_after_units IS NULL)),
  CHECK (invoice_id IS NULL OR fee_units > 0)
);
COMMENT ON TABLE harvest_allocation IS 'Every member''s part of the result of a cycle, and the fee on it.';
COMMENT ON COLUMN harvest_allocation.place IS 'The order of the members: chunks of it are booked one after the other.';
COMMENT ON COLUMN harvest_allocation.capital_after_units IS 'The virtual balance at the opening, before deposits and withdrawals.';
CREATE INDEX harvest_allocation_by_member ON harvest_allocation (member_id);
CREATE INDEX harvest_allocation_unbooked ON harvest_allocation (cycle_id, place) WHERE booked_at IS NULL;

ALTER TABLE harvest_allocation ENABLE ROW LEVEL SECURITY;
ALTER TABLE harvest_allocation FORCE ROW LEVEL SECURITY;
CREATE POLICY harvest_allocation_scope ON harvest_allocation
  USING ((SELECT app.sees_all()) OR EXISTS (SELECT FROM pool_member m WHERE m.id = harvest_allocation.member_id))
  WITH CHECK ((SELECT app.sees_all()));

REVOKE INSERT, UPDATE, DELETE ON harvest_allocation FROM copydesk_app;
GRANT INSERT, UPDATE ON harvest_allocation TO copydesk_worker;

ALTER TABLE invoice ADD CONSTRAINT invoice_harvest_cycle_id_fkey FOREIGN KEY (harvest_cycle_id)
  REFERENCES harvest_cycle(id) ON DELETE RESTRICT;

ALTER TABLE pool_deposit ADD CONSTRAINT pool_deposit_cycle_id_fkey FOREIGN KEY (cycle_id)
  REFERENCES harvest_cycle(id) ON DELETE RESTRICT;

ALTER TABLE pool_evidence ADD CONSTRAINT pool_evidence_cycle_id_fkey FOREIGN KEY (cycle_id)
  REFERENCES harvest_cycle(id) ON DELETE RESTRICT;

ALTER TABLE pool_withdrawal ADD CONSTRAINT pool_withdrawal_cycle_id_fkey FOREIGN KEY (cycle_id)
  REFERENCES harvest_cycle(id) ON DELETE RESTRICT;

ALTER TABLE pool_arrival ADD CONSTRAINT pool_arrival_cycle_id_fkey FOREIGN KEY (cycle_id)
  REFERENCES harvest_cycle(id) ON DELETE RESTRICT;

ALTER TABLE pool_position ADD CONSTRAINT pool_position_cycle_id_fkey FOREIGN KEY (cycle_id)
  REFERENCES harvest_cycle(id) ON DELETE RESTRICT;

ALTER TABLE pool_arrival_decision ADD CONSTRAINT pool_arrival_decision_booked_cycle_id_fkey FOREIGN KEY (booked_cycle_id) REFERENCES harvest_cycle(id) ON DELETE RESTRICT;

CREATE FUNCTION app.order_pool_funding(of_chain integer, token text, new_id uuid, cycle uuid, number integer) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO transfer (id, kind, wallet_id, community_id, to_address, token_address, amount_units)
  SELECT new_id, 'pool_fund', w.id, p.community_id, f.to_address, token, f.units
  FROM harvest_funding f
  JOIN harvest_cycle h ON h.id = f.cycle_id
  JOIN pooled_account p ON p.id = h.pooled_account_id
  JOIN chain_wallet w ON w.chain_id = of_chain AND w.role = 'pool_proxy' AND w.owner_id = p.id
  WHERE f.cycle_id = cycle AND f.attempt = number AND f.state = 'planned';
  UPDATE harvest_funding f SET state = 'ordered', transfer_id = new_id
  WHERE f.cycle_id = cycle AND f.attempt = number AND f.state = 'planned';
END
$$;
COMMENT ON FUNCTION app.order_pool_funding(integer, text, uuid, uuid, integer) IS
  'Orders the transfer of a planned attempt of a cycle, from the proxy wallet of its pool to the exchange.';
GRANT EXECUTE ON FUNCTION app.order_pool_funding(integer, text, uuid, uuid, integer) TO copydesk_app;

CREATE FUNCTION app.may_move_cycle(was_status text, was_step text, was_failed_from text, status text, step text,
    failed_from text) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN failed_from IS NULL AND CASE WHEN was_status = 'failed' THEN
      (status = was_failed_from AND step = was_step)
      OR (was_step = 'crediting' AND status = 'stopping_harvesting' AND step IN ('planning', 'moving', 'resuming'))
    ELSE (was_status, was_step, status, step) IN (
      ('stopped', 'trading', 'starting_harvesting', 'pausing'),
      ('starting_harvesting', 'pausing', 'starting_harvesting', 'checking'),
      ('starting_harvesting', 'pausing', 'stopped', 'trading'),
      ('starting_harvesting', 'checking', 'stopped', 'trading'),
      ('awaiting_bybit_withdrawal', 'withdrawing', 'stopped', 'trading'),
      ('harvesting', 'open', 'harvesting', 'closing'),
      ('harvesting', 'open', 'stopping_harvesting', 'planning'),
      ('harvesting', 'closing', 'stopping_harvesting', 'planning'),
      ('stopping_harvesting', 'resuming', 'stopped', 'trading')) END;
COMMENT ON FUNCTION app.may_move_cycle(text, text, text, text, text, text) IS
  'Whether people move a cycle from one state to another. HARVEST_TRANSITIONS in the domain package has all of them.';
GRANT EXECUTE ON FUNCTION app.may_move_cycle(text, text, text, text, text, text) TO copydesk_app;
