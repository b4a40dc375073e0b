-- What a pool gained or lost is decided by workers, from what they read at the exchange and on the chain. The API moves a
-- cycle as people may, and can name no figure of it.

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

ALTER TABLE harvest_cycle ADD COLUMN approved_by_id text;
COMMENT ON COLUMN harvest_cycle.approved_by_id IS
  'Who approved the valuation. NULL: before this was recorded, or not approved.';

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

GRANT INSERT, UPDATE ON harvest_cycle, harvest_funding, harvest_allocation TO copydesk_worker;
-- compatible: the API of the version before writes the columns that are granted below, and no others
REVOKE INSERT, UPDATE ON harvest_cycle FROM copydesk_app;
GRANT INSERT (pooled_account_id, cycle_number, since, step_since, created_at) ON harvest_cycle TO copydesk_app;
-- Start and frozen balance are written as they are: the trigger refuses other values.
GRANT UPDATE (status, step, failed_from, reason, reason_detail, version, since, step_since, deadline_at, look_at, started_by,
  started_at, ended_at, start_balance_units, frozen_capital_units, approval_awaited_since, waited_ms, approved_evidence_id,
  approved_result_units, approved_by_id, trading_request_id, trading_command, trading_requested_at,
  trading_acknowledged_at) ON harvest_cycle TO copydesk_app;
-- compatible: only workers write them
REVOKE INSERT ON harvest_allocation FROM copydesk_app;
-- compatible: as above
REVOKE UPDATE (booked_at, capital_after_units, carry_after_units, carry_before_units, fee_units, invoice_id, provider_id)
  ON harvest_allocation FROM copydesk_app;

-- Of a funding, the API plans another attempt after one that reverted, and ends one that two people gave up.
-- compatible: an API of the version before cannot give up a funding until it is restarted
REVOKE INSERT, UPDATE ON harvest_funding FROM copydesk_app;
GRANT INSERT (cycle_id, attempt, units, to_address), UPDATE (state) ON harvest_funding TO copydesk_app;
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

-- The ledger. Where tokens are, and what members own, only workers post.
CREATE FUNCTION app.refuse_posting() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (
    SELECT FROM added p JOIN ledger_account a ON a.id = p.account_id LEFT JOIN journal j ON j.id = p.journal_id
    WHERE a.kind IN ('deposit_wallet', 'community_wallet', 'gas_wallet', 'gas_spent', 'platform', 'pool_deposit_wallet',
        'pool_proxy', 'pool_exchange', 'pool_capital', 'pool_pending', 'pool_fees_due')
      OR (starts_with(a.kind, 'pool_')
        AND (j.kind IN ('pool_lost', 'pool_unexplained_resolved', 'pool_return_undone')) IS NOT TRUE)) THEN
    RAISE EXCEPTION 'where tokens are, and what members own, workers post' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER posting_added_by_api AFTER INSERT ON posting REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  WHEN (app.is_api()) EXECUTE FUNCTION app.refuse_posting();

-- Deferred: what people decided is noted after it is posted.
CREATE FUNCTION app.refuse_journal() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  IF (CASE NEW.kind
    WHEN 'pool_lost' THEN NOT EXISTS (
      SELECT FROM harvest_funding f WHERE NEW.source_type = 'harvest_cycle' AND f.state IN ('lost', 'credited')
        AND NEW.source_id = f.cycle_id || ':transit:' || f.attempt
        AND f.cycle_id::text = split_part(NEW.source_id, ':', 1))
    WHEN 'pool_unexplained_resolved' THEN NOT EXISTS (
      SELECT FROM pool_arrival_decision d WHERE NEW.source_type = 'arrival_decision' AND d.id::text = NEW.source_id
        AND d.state IN ('done', 'undone')
        AND d.amount_units = (SELECT max(abs(p.amount)) FROM posting p WHERE p.journal_id = NEW.id))
    WHEN 'pool_return_undone' THEN NOT EXISTS (
      SELECT FROM pool_arrival_decision d WHERE NEW.source_type = 'arrival_decision' AND d.id::text = NEW.source_id
        AND d.state = 'undone' AND d.kind = 'is_return'
        AND d.amount_units = (SELECT max(abs(p.amount)) FROM posting p WHERE p.journal_id = NEW.id))
    -- The opening of imported books is compared with the chain.
    ELSE NEW.kind NOT IN ('invoice_issued', 'invoice_paid', 'invoice_settled_by_hand', 'invoice_settled_elsewhere',
        'invoice_cancelled', 'invoice_discounted', 'reversal')
      OR (NEW.kind = 'invoice_paid' AND NEW.source_type <> 'invoice_payment') END) THEN
    RAISE EXCEPTION 'workers post what follows from the chain and the exchange' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER journal_of_api AFTER INSERT ON journal DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (app.is_api()) EXECUTE FUNCTION app.refuse_journal();
