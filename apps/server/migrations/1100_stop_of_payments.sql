-- Stop all payments: while a stop holds, workers sign nothing but cancellations. Any super admin sets one, alone. Two of
-- them lift it, and a worker carries that out; or the command on the worker's machine does.

CREATE TABLE transfer_stop (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  reason text NOT NULL CHECK (btrim(reason) <> '' AND length(reason) <= 500),
  origin text NOT NULL CHECK (origin IN ('console', 'command', 'alert')),
  stopped_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  stopped_by_id text NOT NULL,
  stopped_by text NOT NULL,
  lifted_at timestamptz CHECK (lifted_at >= stopped_at),
  lifted_by_id text,
  lifted_by text,
  lift_reason text,
  lift_origin text CHECK (lift_origin IN ('console', 'command')),
  CHECK (num_nulls(lifted_at, lifted_by_id, lifted_by, lift_reason, lift_origin) IN (0, 5))
);
COMMENT ON TABLE transfer_stop IS
  'The stops of all payments. Written by functions of the owner only: the API can set a stop, and never lift or change one.';
COMMENT ON COLUMN transfer_stop.origin IS
  'console: a super admin; command: on the machine of a worker; alert: a worker that set too many transfers aside.';
-- One holds at a time.
CREATE UNIQUE INDEX transfer_stop_open ON transfer_stop ((lifted_at IS NULL)) WHERE lifted_at IS NULL;
CREATE INDEX transfer_stop_lifted ON transfer_stop (lifted_at) WHERE lifted_at IS NOT NULL;
ALTER TABLE transfer_stop ENABLE ROW LEVEL SECURITY;
ALTER TABLE transfer_stop FORCE ROW LEVEL SECURITY;
CREATE POLICY transfer_stop_scope ON transfer_stop FOR ALL USING ((SELECT app.sees_all()));
REVOKE INSERT, UPDATE, DELETE ON transfer_stop FROM copydesk_app;

CREATE TABLE transfer_gate (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  stopped_since timestamptz
);
COMMENT ON TABLE transfer_gate IS
  'Whether payments are stopped: one row, which everyone may read. Who signs holds a lock on it that a stop waits for.';
INSERT INTO transfer_gate DEFAULT VALUES;
REVOKE INSERT, UPDATE, DELETE ON transfer_gate FROM copydesk_app;

CREATE TABLE transfer_stop_lift (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  stop_id uuid NOT NULL REFERENCES transfer_stop ON DELETE RESTRICT,
  reason text NOT NULL CHECK (btrim(reason) <> '' AND length(reason) <= 500),
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'confirmed', 'lifted', 'withdrawn', 'refused')),
  requested_by_id text NOT NULL,
  requested_by text NOT NULL,
  requested_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  decided_by_id text,
  decided_by text,
  decided_at timestamptz,
  CHECK (num_nulls(decided_by_id, decided_by, decided_at) IN (0, 3)),
  CHECK ((state = 'waiting') = (decided_at IS NULL)),
  CHECK (decided_by_id <> requested_by_id OR state IN ('withdrawn', 'refused'))
);
COMMENT ON TABLE transfer_stop_lift IS
  'Lifting a stop: one super admin asks, another one confirms, and a worker lifts it after its own check.';
COMMENT ON COLUMN transfer_stop_lift.state IS
  'confirmed: a worker lifts the stop next. refused: by the worker, because one of the two may no longer decide.';
CREATE UNIQUE INDEX transfer_stop_lift_open ON transfer_stop_lift (stop_id) WHERE state IN ('waiting', 'confirmed');
ALTER TABLE transfer_stop_lift ENABLE ROW LEVEL SECURITY;
ALTER TABLE transfer_stop_lift FORCE ROW LEVEL SECURITY;
CREATE POLICY transfer_stop_lift_scope ON transfer_stop_lift FOR ALL USING ((SELECT app.sees_all()));
-- The author, the stop and the reason of a request never change, and it begins undecided.
REVOKE INSERT, UPDATE, DELETE ON transfer_stop_lift FROM copydesk_app;
GRANT INSERT (id, stop_id, reason, requested_by_id, requested_by) ON transfer_stop_lift TO copydesk_app;
GRANT UPDATE (state, decided_by_id, decided_by, decided_at) ON transfer_stop_lift TO copydesk_app;

CREATE TRIGGER transfer_stop_lift_confirmed BEFORE UPDATE ON transfer_stop_lift
  FOR EACH ROW WHEN (NEW.state = 'confirmed') EXECUTE FUNCTION app.refuse_dependent_approval();

CREATE FUNCTION app.check_lift_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.state, NEW.state) NOT IN (('waiting', 'confirmed'), ('waiting', 'withdrawn'), ('confirmed', 'lifted'),
      ('confirmed', 'withdrawn'), ('confirmed', 'refused'))
    -- What a person has confirmed is carried out as confirmed.
    OR (OLD.state = 'confirmed' AND NEW.state = 'lifted'
      AND (NEW.decided_by_id, NEW.decided_at) IS DISTINCT FROM (OLD.decided_by_id, OLD.decided_at))
  THEN
    RAISE EXCEPTION 'a lift cannot go from % to %', OLD.state, NEW.state USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER transfer_stop_lift_moves BEFORE UPDATE ON transfer_stop_lift
  FOR EACH ROW EXECUTE FUNCTION app.check_lift_move();
CREATE TRIGGER transfer_stop_lift_queued AFTER INSERT OR UPDATE ON transfer_stop_lift
  FOR EACH STATEMENT EXECUTE FUNCTION app.announce_work();

-- Signing and stopping. A lock of the table, not of its row: waiting for it is fair, so that a stop comes next even while
-- many wallets sign one after the other; and only the owner's functions can take it.

CREATE FUNCTION app.hold_transfer_gate() RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  LOCK TABLE transfer_gate IN ROW SHARE MODE;
  -- A statement of its own, which sees what committed while the lock was awaited.
  RETURN coalesce((SELECT g.stopped_since IS NULL FROM transfer_gate g), false);
END
$$;
COMMENT ON FUNCTION app.hold_transfer_gate() IS
  'Whether transfers may be signed. A stop waits until this transaction ends, so the answer holds until then.';

CREATE FUNCTION app.stop_payments(from_where text, why text, by_id text, by_name text) RETURNS uuid
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp
  SET lock_timeout = '2s' AS $$
DECLARE
  added uuid;
BEGIN
  IF current_setting('role') = 'copydesk_app' AND (from_where <> 'console' OR NOT EXISTS (
      SELECT FROM identity.user_access a WHERE a.user_id::text = by_id AND a.super AND a.disabled_at IS NULL)) THEN
    RAISE EXCEPTION 'the API stops payments for a super admin only' USING ERRCODE = 'insufficient_privilege';
  END IF;
  BEGIN
    LOCK TABLE transfer_gate IN EXCLUSIVE MODE;
  EXCEPTION WHEN lock_not_available THEN
    -- A worker hangs while it signs. The stop holds for everyone else, and what that worker stores later is not sent.
    NULL;
  END;
  INSERT INTO transfer_stop (reason, origin, stopped_by_id, stopped_by) VALUES (why, from_where, by_id, by_name)
  ON CONFLICT DO NOTHING RETURNING id INTO added;
  UPDATE transfer_gate g SET stopped_since = s.stopped_at FROM transfer_stop s
  WHERE s.lifted_at IS NULL AND g.stopped_since IS DISTINCT FROM s.stopped_at;
  RETURN added;
END
$$;
COMMENT ON FUNCTION app.stop_payments(text, text, text, text) IS
  'Stops all payments. NULL: they were stopped already, and the earlier stop goes on.';

-- Ends the stop that holds. The time that a cycle stood still does not count toward its deadline.
CREATE FUNCTION app.end_stop(from_where text, why text, by_id text, by_name text) RETURNS uuid
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  ended transfer_stop;
BEGIN
  UPDATE transfer_stop SET lifted_at = clock_timestamp(), lifted_by_id = by_id, lifted_by = by_name, lift_reason = why,
    lift_origin = from_where
  WHERE lifted_at IS NULL RETURNING * INTO ended;
  IF NOT FOUND THEN RETURN NULL; END IF;
  UPDATE transfer_gate SET stopped_since = NULL;
  UPDATE harvest_cycle h SET deadline_at = h.deadline_at + (ended.lifted_at - greatest(ended.stopped_at, c.since))
  FROM (SELECT id, CASE WHEN status = 'processing_invoices' THEN step_since ELSE since END AS since FROM harvest_cycle) c
  WHERE c.id = h.id AND h.ended_at IS NULL AND h.deadline_at IS NOT NULL AND c.since < ended.lifted_at;
  RETURN ended.id;
END
$$;

CREATE FUNCTION app.lift_stop(lift uuid) RETURNS uuid
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  asked transfer_stop_lift;
BEGIN
  SELECT l.* INTO asked FROM transfer_stop_lift l JOIN transfer_stop s ON s.id = l.stop_id
  WHERE l.id = lift AND l.state = 'confirmed' AND s.lifted_at IS NULL FOR UPDATE OF l;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF asked.decided_by_id = asked.requested_by_id OR (
      SELECT count(*) FROM identity.user_access a
      WHERE a.user_id::text IN (asked.requested_by_id, asked.decided_by_id) AND a.super AND a.disabled_at IS NULL) <> 2
  THEN
    RAISE EXCEPTION 'a stop is lifted by two super admins' USING ERRCODE = 'insufficient_privilege';
  END IF;
  UPDATE transfer_stop_lift SET state = 'lifted' WHERE id = lift;
  RETURN app.end_stop('console', asked.reason, asked.decided_by_id, asked.decided_by);
END
$$;
COMMENT ON FUNCTION app.lift_stop(uuid) IS
  'Lifts a stop that one super admin asked to lift and another one confirmed. For workers: the API cannot call it.';

CREATE FUNCTION app.resume_payments(why text, by_id text, by_name text) RETURNS uuid
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE transfer_stop_lift l SET state = 'withdrawn', decided_by_id = by_id, decided_by = by_name,
    decided_at = clock_timestamp()
  FROM transfer_stop s WHERE s.id = l.stop_id AND s.lifted_at IS NULL AND l.state IN ('waiting', 'confirmed');
  RETURN app.end_stop('command', why, by_id, by_name);
END
$$;
COMMENT ON FUNCTION app.resume_payments(text, text, text) IS
  'Lifts the stop for the command on the machine of a worker. NULL: there was none.';

-- Whatever a worker believes, also one of an earlier version: its signed bytes are not stored, and only stored ones are sent.
CREATE FUNCTION app.refuse_attempts_while_stopped() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM added a JOIN transfer t ON t.id = a.transfer_id WHERE NOT (a.is_cancel AND t.is_cancel_asked))
    AND NOT app.hold_transfer_gate() THEN
    RAISE EXCEPTION 'payments are stopped: nothing but cancellations is signed' USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER transfer_attempts_gated AFTER INSERT ON transfer_attempt
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_attempts_while_stopped();

GRANT EXECUTE ON FUNCTION app.stop_payments(text, text, text, text) TO copydesk_app;
GRANT EXECUTE ON FUNCTION app.hold_transfer_gate(), app.lift_stop(uuid), app.resume_payments(text, text, text)
  TO copydesk_worker;

-- Everyone who works here learns of it at once.
-- compatible: a topic that an earlier version does not know refreshes nothing there
ALTER TABLE change_event
  DROP CONSTRAINT change_event_topic_check,
  ADD CONSTRAINT change_event_topic_check
    CHECK (topic IN ('trader', 'community', 'provider', 'payout', 'invoice', 'payment', 'pool', 'stop')) NOT VALID;
CREATE FUNCTION app.announce_stop() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO change_event (topic, provider_ids) SELECT 'stop', coalesce(array_agg(p.id), '{}') FROM provider p;
  RETURN NULL;
END
$$;
CREATE TRIGGER transfer_gate_moved AFTER UPDATE ON transfer_gate
  FOR EACH STATEMENT EXECUTE FUNCTION app.announce_stop();
CREATE TRIGGER transfer_stop_lift_moved AFTER INSERT OR UPDATE ON transfer_stop_lift
  FOR EACH STATEMENT EXECUTE FUNCTION app.announce_stop();
