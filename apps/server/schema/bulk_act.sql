-- Written by `npm run generate` from a migrated database. Do not edit.

-- Acts on many traders, done one by one by a worker under the name and the rights of the person who ordered them.
CREATE TABLE bulk_act (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  user_id text NOT NULL,
  -- As the audit names the person.
  user_name text NOT NULL,
  -- The one provider in which the person worked. NULL: in all of its own.
  organization_id uuid,
  act text NOT NULL,
  -- What the act "status" sets.
  status text,
  state text NOT NULL DEFAULT 'waiting',
  total integer NOT NULL,
  -- Counted from its rows, some seconds old while it runs.
  done integer NOT NULL DEFAULT 0,
  left_out integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  -- Until then it can be stopped before anything was done.
  begins_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  -- How often a worker has begun since a row was last done.
  attempts integer NOT NULL DEFAULT 0,
  -- Until then one worker does it.
  leased_until timestamptz,
  -- Fences off a worker that lost its lease, or whose act was stopped.
  lease_number bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  finished_at timestamptz,
  CONSTRAINT bulk_act_act_check CHECK (act = ANY (ARRAY['status', 'read', 'notify', 'ask_key'])),
  CONSTRAINT bulk_act_finished CHECK ((finished_at IS NOT NULL) = (state = ANY (ARRAY['done', 'cancelled']))),
  CONSTRAINT bulk_act_pkey PRIMARY KEY (id),
  CONSTRAINT bulk_act_state_check CHECK (state = ANY (ARRAY['waiting', 'running', 'done', 'cancelled'])),
  CONSTRAINT bulk_act_status CHECK ((status IS NOT NULL) = (act = 'status')),
  CONSTRAINT bulk_act_total_check CHECK (total > 0)
);

CREATE INDEX bulk_act_by_time ON bulk_act (created_at);
CREATE INDEX bulk_act_by_user ON bulk_act (user_id, created_at DESC);
CREATE INDEX bulk_act_open ON bulk_act (due_at) WHERE state = ANY (ARRAY['waiting', 'running']);

ALTER TABLE bulk_act ENABLE ROW LEVEL SECURITY;
ALTER TABLE bulk_act FORCE ROW LEVEL SECURITY;
CREATE POLICY bulk_act_scope ON bulk_act FOR ALL
  USING (('user:' || user_id) = ((SELECT app.caller())) OR (SELECT app.is_worker()) AND (SELECT app.sees_all()));

CREATE TRIGGER bulk_act_announced AFTER INSERT OR DELETE OR UPDATE OF state, done, left_out, failed ON bulk_act
  FOR EACH ROW EXECUTE FUNCTION app.announce_own();
CREATE TRIGGER bulk_act_waiting AFTER INSERT OR UPDATE OF state ON bulk_act FOR EACH ROW WHEN (new.state = 'waiting')
  EXECUTE FUNCTION app.announce_work();
