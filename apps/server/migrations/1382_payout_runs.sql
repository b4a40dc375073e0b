-- What several communities owe can be ordered and approved as one: a distribution each, decided together.
CREATE TABLE payout_run (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  communities integer NOT NULL CHECK (communities > 0),
  amount_units numeric(38,0) NOT NULL CHECK (amount_units > 0),
  seen text NOT NULL CHECK (seen ~ '^[0-9a-f]{64}$'),
  minimum_units numeric(38,0) NOT NULL CHECK (minimum_units >= 0),
  carried_units numeric(38,0) NOT NULL CHECK (carried_units >= 0),
  requested_by_id text NOT NULL,
  requested_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE payout_run IS
  'Distributions of several communities, ordered as one and decided as one; afterwards each goes on alone. Never changed.';
COMMENT ON COLUMN payout_run.communities IS 'Of its distributions, which have its state.';
COMMENT ON COLUMN payout_run.seen IS
  'SHA-256 over communities, addresses, roles and amounts: what its author saw, and what its approver has to have seen.';
COMMENT ON COLUMN payout_run.minimum_units IS 'The smallest payout then.';
COMMENT ON COLUMN payout_run.carried_units IS 'Payable then and below the smallest payout: it stayed pending.';
CREATE INDEX payout_run_newest ON payout_run (created_at DESC, id DESC);
ALTER TABLE payout_run ENABLE ROW LEVEL SECURITY;
ALTER TABLE payout_run FORCE ROW LEVEL SECURITY;
CREATE POLICY payout_run_scope ON payout_run USING ((SELECT app.sees_all()));
-- compatible: the table is new
REVOKE UPDATE, DELETE ON payout_run FROM copydesk_app;

ALTER TABLE distribution ADD COLUMN run_id uuid;
COMMENT ON COLUMN distribution.run_id IS 'Ordered and decided together with the others of this run. NULL: alone.';
ALTER TABLE distribution ADD CONSTRAINT distribution_run_id_fkey FOREIGN KEY (run_id) REFERENCES payout_run(id) NOT VALID;

-- A run is decided as a whole, and is what was ordered: at the end of each transaction that touches it.
CREATE FUNCTION app.check_payout_run() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM payout_run r JOIN distribution d ON d.run_id = r.id WHERE r.id = NEW.run_id
    GROUP BY r.id HAVING count(*) = r.communities AND count(DISTINCT d.community_id) = r.communities
      AND sum(d.amount_units) = r.amount_units AND min(d.state) = max(d.state)
      AND count(DISTINCT d.decided_by_id) <= 1 AND bool_and(d.requested_by_id = r.requested_by_id)
      AND NOT bool_or(d.is_above_maximum)) THEN
    RAISE EXCEPTION 'the distributions of a run are decided as one, as they were ordered'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER distribution_of_run AFTER INSERT OR UPDATE OF state, amount_units, community_id, decided_by_id,
  requested_by_id ON distribution DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.run_id IS NOT NULL)
  EXECUTE FUNCTION app.check_payout_run();

CREATE FUNCTION app.refuse_other_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a distribution stays in its run' USING ERRCODE = 'integrity_constraint_violation';
END
$$;
CREATE TRIGGER distribution_keeps_run BEFORE UPDATE OF run_id ON distribution FOR EACH ROW
  WHEN (OLD.run_id IS DISTINCT FROM NEW.run_id) EXECUTE FUNCTION app.refuse_other_run();

-- A higher smallest payout takes two people: it keeps money back from its recipients. A lower one does not.
CREATE OR REPLACE FUNCTION app.setting_needs_second(setting text, previous jsonb, wanted jsonb) RETURNS boolean
  LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  CASE setting
    WHEN 'approval_above_usdt', 'write_off_above_usdt', 'payout_max_per_transaction', 'payout_max_per_day',
      'chain_max_fee_gwei', 'tip_up_to_usdt', 'minimum_invoice_usdt',
      'minimum_payout_usdt' THEN
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
