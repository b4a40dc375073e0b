-- Written by `npm run generate` from a migrated database. Do not edit.

-- Lifting a stop: one super admin asks, another one confirms, and a worker lifts it after its own check.
CREATE TABLE transfer_stop_lift (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  stop_id uuid NOT NULL,
  reason text NOT NULL,
  -- confirmed: a worker lifts the stop next. refused: by the worker, because one of the two may no longer decide.
  state text NOT NULL DEFAULT 'waiting',
  requested_by_id text NOT NULL,
  requested_by text NOT NULL,
  requested_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  decided_by_id text,
  decided_by text,
  decided_at timestamptz,
  CONSTRAINT transfer_stop_lift_check CHECK (num_nulls(decided_by_id, decided_by, decided_at) = ANY (ARRAY[0, 3])),
  CONSTRAINT transfer_stop_lift_check1 CHECK ((state = 'waiting') = (decided_at IS NULL)),
  CONSTRAINT transfer_stop_lift_check2
    CHECK (decided_by_id <> requested_by_id OR (state = ANY (ARRAY['withdrawn', 'refused']))),
  CONSTRAINT transfer_stop_lift_pkey PRIMARY KEY (id),
  CONSTRAINT transfer_stop_lift_reason_check CHECK (btrim(reason) <> '' AND length(reason) <= 500),
  CONSTRAINT transfer_stop_lift_state_check
    CHECK (state = ANY (ARRAY['waiting', 'confirmed', 'lifted', 'withdrawn', 'refused'])),
  CONSTRAINT transfer_stop_lift_stop_id_fkey FOREIGN KEY (stop_id) REFERENCES transfer_stop(id) ON DELETE RESTRICT
);

CREATE UNIQUE INDEX transfer_stop_lift_open ON transfer_stop_lift (stop_id)
  WHERE state = ANY (ARRAY['waiting', 'confirmed']);

ALTER TABLE transfer_stop_lift ENABLE ROW LEVEL SECURITY;
ALTER TABLE transfer_stop_lift FORCE ROW LEVEL SECURITY;
CREATE POLICY transfer_stop_lift_scope ON transfer_stop_lift FOR ALL
  USING ((SELECT app.sees_all()));

CREATE TRIGGER no_worker_confirms BEFORE INSERT OR UPDATE OF state, decided_by_id ON transfer_stop_lift FOR EACH ROW
  WHEN (new.state = 'confirmed' AND app.is_worker()) EXECUTE FUNCTION app.refuse_worker();
CREATE TRIGGER transfer_stop_lift_confirmed BEFORE UPDATE ON transfer_stop_lift FOR EACH ROW
  WHEN (new.state = 'confirmed') EXECUTE FUNCTION app.refuse_dependent_approval();
CREATE TRIGGER transfer_stop_lift_moved AFTER INSERT OR UPDATE ON transfer_stop_lift FOR EACH STATEMENT
  EXECUTE FUNCTION app.announce_stop();
CREATE TRIGGER transfer_stop_lift_moves BEFORE UPDATE ON transfer_stop_lift FOR EACH ROW
  EXECUTE FUNCTION app.check_lift_move();
CREATE TRIGGER transfer_stop_lift_queued AFTER INSERT OR UPDATE ON transfer_stop_lift FOR EACH STATEMENT
  EXECUTE FUNCTION app.announce_work();
