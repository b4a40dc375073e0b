-- Written by `npm run generate` from a migrated database. Do not edit.

-- Every change of a setting. One that loosens a protection of money waits for another super admin.
CREATE TABLE platform_setting_change (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  previous jsonb NOT NULL,
  value jsonb NOT NULL,
  -- The version of the setting that its author saw; 0: the default.
  based_on integer NOT NULL,
  state text NOT NULL,
  requested_at timestamptz NOT NULL,
  requested_by_id text NOT NULL,
  requested_by text NOT NULL,
  decided_at timestamptz,
  decided_by_id text,
  -- NULL in an applied change: it needed no second person.
  decided_by text,
  CONSTRAINT platform_setting_change_pkey PRIMARY KEY (id),
  CONSTRAINT platform_setting_change_state_check CHECK (state = ANY (ARRAY['waiting', 'applied', 'declined'])),
  CONSTRAINT platform_setting_decision
    CHECK ((decided_at IS NULL) = (decided_by_id IS NULL) AND (decided_at IS NULL) = (decided_by IS NULL)
    AND (state <> 'waiting' OR decided_at IS NULL)),
  CONSTRAINT platform_setting_four_eyes CHECK (state <> 'applied' OR decided_by_id <> requested_by_id)
);

CREATE INDEX platform_setting_change_by_name ON platform_setting_change (name, number DESC);
CREATE UNIQUE INDEX platform_setting_change_by_number ON platform_setting_change (number DESC);
CREATE UNIQUE INDEX platform_setting_change_waiting ON platform_setting_change (name) WHERE state = 'waiting';

ALTER TABLE platform_setting_change ENABLE ROW LEVEL SECURITY;
ALTER TABLE platform_setting_change FORCE ROW LEVEL SECURITY;
CREATE POLICY platform_setting_change_scope ON platform_setting_change FOR ALL
  USING ((SELECT app.sees_all()))
  WITH CHECK ((SELECT app.sees_all()));

CREATE TRIGGER no_worker_applies BEFORE INSERT OR UPDATE OF state ON platform_setting_change FOR EACH ROW
  WHEN (new.state = 'applied' AND app.is_worker()) EXECUTE FUNCTION app.refuse_worker();
CREATE TRIGGER setting_change_written BEFORE INSERT OR UPDATE ON platform_setting_change FOR EACH ROW
  WHEN (app.is_api()) EXECUTE FUNCTION app.refuse_setting_change();
