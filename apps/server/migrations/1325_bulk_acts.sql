-- What a person has a worker do to many traders, and what became of each. The act is the work (docs/decisions/0110).
CREATE TABLE bulk_act (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  user_id text NOT NULL,
  user_name text NOT NULL,
  organization_id uuid,
  act text NOT NULL CHECK (act IN ('status', 'read', 'notify')),
  status text,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'done', 'cancelled')),
  total int NOT NULL CHECK (total > 0),
  done int NOT NULL DEFAULT 0,
  left_out int NOT NULL DEFAULT 0,
  failed int NOT NULL DEFAULT 0,
  begins_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  attempts int NOT NULL DEFAULT 0,
  leased_until timestamptz,
  lease_number bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  finished_at timestamptz,
  CONSTRAINT bulk_act_status CHECK ((status IS NOT NULL) = (act = 'status')),
  CONSTRAINT bulk_act_finished CHECK ((finished_at IS NOT NULL) = (state IN ('done', 'cancelled')))
);
COMMENT ON TABLE bulk_act IS 'Acts on many traders, done one by one by a worker under the name and the rights of the person who ordered them.';
COMMENT ON COLUMN bulk_act.user_name IS 'As the audit names the person.';
COMMENT ON COLUMN bulk_act.organization_id IS 'The one provider in which the person worked. NULL: in all of its own.';
COMMENT ON COLUMN bulk_act.status IS 'What the act "status" sets.';
COMMENT ON COLUMN bulk_act.done IS 'Counted from its rows, some seconds old while it runs.';
COMMENT ON COLUMN bulk_act.begins_at IS 'Until then it can be stopped before anything was done.';
COMMENT ON COLUMN bulk_act.attempts IS 'How often a worker has begun since a row was last done.';
COMMENT ON COLUMN bulk_act.leased_until IS 'Until then one worker does it.';
COMMENT ON COLUMN bulk_act.lease_number IS 'Fences off a worker that lost its lease, or whose act was stopped.';
CREATE INDEX bulk_act_by_user ON bulk_act (user_id, created_at DESC);
CREATE INDEX bulk_act_open ON bulk_act (due_at) WHERE state IN ('waiting', 'running');
CREATE INDEX bulk_act_by_time ON bulk_act (created_at);

CREATE TABLE bulk_act_row (
  bulk_act_id uuid NOT NULL REFERENCES bulk_act ON DELETE CASCADE,
  position int NOT NULL,
  trader_id uuid NOT NULL,
  before text,
  outcome text CHECK (outcome IN ('done', 'left_out', 'failed')),
  reason text CHECK (reason IN ('has_status', 'no_accounts', 'nothing_unpaid', 'not_reachable', 'told_lately',
    'changed_meanwhile', 'gone', 'access_changed')),
  PRIMARY KEY (bulk_act_id, position),
  CONSTRAINT bulk_act_row_trader UNIQUE (bulk_act_id, trader_id),
  CONSTRAINT bulk_act_row_left_out CHECK ((reason IS NOT NULL) = (outcome IS NOT DISTINCT FROM 'left_out'))
);
COMMENT ON TABLE bulk_act_row IS 'One trader of a bulk act. Its outcome is written in the transaction of what was done.';
COMMENT ON COLUMN bulk_act_row.trader_id IS 'No reference: a trader can be deleted, and the row says so.';
COMMENT ON COLUMN bulk_act_row.before IS 'The status that the person saw. Another one by then is left as it is.';
CREATE INDEX bulk_act_row_left ON bulk_act_row (bulk_act_id, position) WHERE outcome IS NULL;

-- Not even a super admin sees the acts of another person: only who does them sees all.
ALTER TABLE bulk_act ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY bulk_act_scope ON bulk_act FOR ALL USING (
  'user:' || user_id = (SELECT app.caller()) OR (SELECT app.is_worker()) AND (SELECT app.sees_all()));
ALTER TABLE bulk_act_row ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY bulk_act_row_scope ON bulk_act_row FOR ALL USING (
  EXISTS (SELECT FROM bulk_act b WHERE b.id = bulk_act_id));

-- compatible: the tables are new
REVOKE INSERT, UPDATE, DELETE ON bulk_act, bulk_act_row FROM copydesk_app;
GRANT INSERT (user_id, user_name, organization_id, act, status, total, left_out, begins_at, due_at, created_at) ON bulk_act
  TO copydesk_app;
-- Stopping it, and trying again what failed.
GRANT UPDATE (state, failed, due_at, attempts, leased_until, lease_number, finished_at, done, left_out) ON bulk_act
  TO copydesk_app;
GRANT INSERT (bulk_act_id, position, trader_id, before, outcome, reason) ON bulk_act_row TO copydesk_app;
GRANT UPDATE (outcome, reason) ON bulk_act_row TO copydesk_app;
GRANT DELETE ON bulk_act TO copydesk_worker;

CREATE TRIGGER bulk_act_waiting AFTER INSERT OR UPDATE OF state ON bulk_act
  FOR EACH ROW WHEN (NEW.state = 'waiting') EXECUTE FUNCTION app.announce_work();

-- Lists of topics: old rows have earlier ones, so nothing has to be read.
ALTER TABLE change_event
  DROP CONSTRAINT change_event_topic_check,
  ADD CONSTRAINT change_event_topic_check CHECK (topic IN ('trader', 'community', 'provider', 'payout', 'invoice',
    'payment', 'pool', 'stop', 'export', 'bulk_act')) NOT VALID;

CREATE FUNCTION app.announce_own() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
  changed record := coalesce(NEW, OLD);
BEGIN
  INSERT INTO change_event (topic, entity_id, provider_ids, user_id)
  VALUES (TG_TABLE_NAME, changed.id, '{}', changed.user_id);
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION app.announce_own() IS 'Announces a change of a row to the one person whom it belongs to.';
CREATE TRIGGER bulk_act_announced AFTER INSERT OR DELETE OR UPDATE OF state, done, left_out, failed ON bulk_act FOR EACH ROW
  EXECUTE FUNCTION app.announce_own();
-- compatible: the same is announced, by the function that serves both
DROP TRIGGER export_announced ON export;
CREATE TRIGGER export_announced AFTER INSERT OR DELETE OR UPDATE OF state, rows, rows_expected ON export FOR EACH ROW
  EXECUTE FUNCTION app.announce_own();
-- compatible: no trigger calls it
DROP FUNCTION app.announce_export();
