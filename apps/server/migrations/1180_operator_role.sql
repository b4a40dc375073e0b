-- The operator's commands work in a role of their own. A worker's login has what the chain needs and, as a member of the
-- API's role, what people order; from here on it approves nothing, so that a worker that is taken over, or a copied
-- worker.env, still needs people for what needs people.

DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'copydesk_operator') THEN
    CREATE ROLE copydesk_operator NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL; -- roles belong to the whole cluster: the migration of another database was faster
END
$$;
DO $$
BEGIN
  IF NOT pg_has_role('copydesk_operator', 'copydesk_worker', 'MEMBER') THEN
    GRANT copydesk_worker TO copydesk_operator;
  END IF;
END
$$;
GRANT copydesk_operator TO CURRENT_USER;

CREATE OR REPLACE FUNCTION app.bulk_loading() RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN coalesce(current_setting('copydesk.bulk', true) = 'on', false)
    AND current_setting('role') NOT IN ('copydesk_app', 'copydesk_worker', 'copydesk_operator')
    AND has_schema_privilege(session_user, 'app', 'CREATE');

CREATE FUNCTION app.is_operator() RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN pg_has_role(current_user, 'copydesk_operator', 'MEMBER');
COMMENT ON FUNCTION app.is_operator() IS
  'Whether a command of an operator works, or the owner: it takes the place of a person where there is none.';

-- A worker may take the API's role, and functions run as their owner: the login tells in both cases.
CREATE FUNCTION app.is_worker() RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN NOT app.is_api() AND NOT app.is_operator()
    OR pg_has_role(session_user, 'copydesk_worker', 'MEMBER') AND NOT pg_has_role(session_user, 'copydesk_operator', 'MEMBER');
COMMENT ON FUNCTION app.is_worker() IS 'Whether a worker works: no person stands behind what it writes.';

GRANT EXECUTE ON FUNCTION app.is_operator(), app.is_worker() TO copydesk_app;

CREATE FUNCTION app.refuse_worker() RETURNS trigger
  LANGUAGE plpgsql
AS $$
BEGIN
  RAISE EXCEPTION 'a worker approves nothing' USING ERRCODE = 'insufficient_privilege';
END
$$;

-- What two people decide, or one person and an operator.
CREATE TRIGGER no_worker_approves BEFORE INSERT OR UPDATE OF state, decided_by_id, first_approved_by_id ON distribution
  FOR EACH ROW WHEN ((NEW.state = 'approved' OR NEW.first_approved_by_id IS NOT NULL) AND app.is_worker())
  EXECUTE FUNCTION app.refuse_worker();
CREATE TRIGGER no_worker_approves BEFORE INSERT OR UPDATE OF state, decided_by_id ON money_order
  FOR EACH ROW WHEN (NEW.state = 'approved' AND app.is_worker()) EXECUTE FUNCTION app.refuse_worker();
CREATE TRIGGER no_worker_approves BEFORE INSERT OR UPDATE OF approved_by_id ON payout
  FOR EACH ROW WHEN (NEW.approved_by_id IS NOT NULL AND app.is_worker()) EXECUTE FUNCTION app.refuse_worker();
CREATE TRIGGER no_worker_releases BEFORE INSERT OR UPDATE OF released_at, released_by_id ON payout_address_change
  FOR EACH ROW WHEN (NEW.released_at IS NOT NULL AND NEW.released_by_id <> 'owner' AND app.is_worker())
  EXECUTE FUNCTION app.refuse_worker(); -- an owner's word is read by workers, and has a trigger of its own
-- Where the exchange lists the withdrawal of an arrival, nobody has to decide. What was confirmed, workers carry out.
CREATE TRIGGER no_worker_confirms BEFORE UPDATE OF state ON pool_arrival_decision
  FOR EACH ROW WHEN (OLD.state <> 'sending' AND NEW.state IN ('sending', 'done') AND NEW.movement_record_id IS NULL
    AND app.is_worker()) EXECUTE FUNCTION app.refuse_worker();
CREATE TRIGGER no_worker_decides BEFORE INSERT ON pool_arrival_decision
  FOR EACH ROW WHEN (NEW.state <> 'proposed' AND app.is_worker()) EXECUTE FUNCTION app.refuse_worker();
CREATE TRIGGER no_worker_confirms BEFORE INSERT OR UPDATE OF state, decided_by_id ON transfer_stop_lift
  FOR EACH ROW WHEN (NEW.state = 'confirmed' AND app.is_worker()) EXECUTE FUNCTION app.refuse_worker();
CREATE TRIGGER no_worker_approves BEFORE UPDATE OF approved_evidence_id, approved_result_units ON harvest_cycle
  FOR EACH ROW WHEN (NEW.approved_evidence_id IS NOT NULL
    AND (NEW.approved_evidence_id, NEW.approved_result_units)
      IS DISTINCT FROM (OLD.approved_evidence_id, OLD.approved_result_units) AND app.is_worker())
  EXECUTE FUNCTION app.refuse_worker();
CREATE TRIGGER no_worker_approves BEFORE UPDATE OF is_approved ON pooled_account
  FOR EACH ROW WHEN (NEW.is_approved AND NOT OLD.is_approved AND app.is_worker()) EXECUTE FUNCTION app.refuse_worker();
CREATE TRIGGER no_worker_sets BEFORE INSERT OR UPDATE OR DELETE ON platform_setting
  FOR EACH ROW WHEN (app.is_worker()) EXECUTE FUNCTION app.refuse_worker();
CREATE TRIGGER no_worker_applies BEFORE INSERT OR UPDATE OF state ON platform_setting_change
  FOR EACH ROW WHEN (NEW.state = 'applied' AND app.is_worker()) EXECUTE FUNCTION app.refuse_worker();

-- Who decides: nobody becomes a confirmed super admin by a worker, or the sponsor of one.
-- From a hosted identity service they read who joins, and an unconfirmed super admin approves nothing.
CREATE TRIGGER no_worker_promotes BEFORE UPDATE OF super, confirmed_at, confirmed_by_id ON identity.user_access
  FOR EACH ROW WHEN (NEW.super AND NEW.confirmed_at IS NOT NULL AND (NEW.super, NEW.confirmed_at, NEW.confirmed_by_id)
    IS DISTINCT FROM (OLD.super, OLD.confirmed_at, OLD.confirmed_by_id) AND app.is_worker())
  EXECUTE FUNCTION app.refuse_worker();
CREATE TRIGGER no_worker_confirms BEFORE INSERT ON identity.user_access
  FOR EACH ROW WHEN (NEW.super AND NEW.confirmed_at IS NOT NULL AND app.is_worker()) EXECUTE FUNCTION app.refuse_worker();
CREATE TRIGGER no_worker_sponsors BEFORE INSERT ON identity.user_sponsor
  FOR EACH ROW WHEN (app.is_worker()) EXECUTE FUNCTION app.refuse_worker();

-- An operator is known by its role, and not by the word alone.
DROP TRIGGER money_order_approved ON money_order;
CREATE TRIGGER money_order_approved BEFORE UPDATE OF state, decided_by_id ON money_order
  FOR EACH ROW WHEN (NEW.state = 'approved' AND NOT (app.is_operator() AND NEW.decided_by_id = 'operator'))
  EXECUTE FUNCTION app.refuse_dependent_approval();
CREATE OR REPLACE FUNCTION app.refuse_distribution_approval() RETURNS trigger
  LANGUAGE plpgsql
AS $$
DECLARE
  is_operator boolean := app.is_operator() AND NEW.decided_by_id = 'operator';
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.is_above_maximum <> NEW.is_above_maximum OR OLD.first_approved_by_id IS NOT NULL
      AND OLD.first_approved_by_id IS DISTINCT FROM NEW.first_approved_by_id) THEN
    RAISE EXCEPTION 'what a distribution takes does not change' USING ERRCODE = 'integrity_constraint_violation';
  ELSIF NEW.first_approved_by_id IS NOT NULL
      AND app.is_independent(NEW.first_approved_by_id, NEW.requested_by_id) IS NOT TRUE
    OR NEW.state = 'approved' AND NOT is_operator AND (
      (NEW.is_above_maximum OR TG_OP = 'UPDATE' OR NEW.decided_by_id IS NOT NULL)
        AND app.is_independent(NEW.decided_by_id, NEW.requested_by_id) IS NOT TRUE
      OR NEW.is_above_maximum AND app.is_independent(NEW.decided_by_id, NEW.first_approved_by_id) IS NOT TRUE) THEN
    RAISE EXCEPTION 'a distribution is approved by an independent, confirmed super admin'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$$;

-- compatible: only the operator's command lifts a stop alone, and it has its own login from now on
REVOKE EXECUTE ON FUNCTION app.resume_payments(text, text, text) FROM copydesk_worker;
GRANT EXECUTE ON FUNCTION app.resume_payments(text, text, text) TO copydesk_operator;
