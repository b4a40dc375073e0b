-- Written by `npm run generate` from a migrated database. Do not edit.

-- Every event that changed or confirmed the state of a long process, with its evidence.
CREATE TABLE saga_event (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  saga text NOT NULL,
  saga_id uuid NOT NULL,
  -- Of the process after the event.
  version integer NOT NULL,
  at timestamptz NOT NULL,
  event text NOT NULL,
  role text NOT NULL,
  actor_kind text NOT NULL,
  actor_id text NOT NULL,
  actor_name text NOT NULL,
  from_state text NOT NULL,
  to_state text NOT NULL,
  evidence jsonb NOT NULL DEFAULT '{}'::jsonb,
  CONSTRAINT saga_event_event_check CHECK (event ~ '^[a-z_]+$'),
  CONSTRAINT saga_event_pkey PRIMARY KEY (id),
  CONSTRAINT saga_event_role_check CHECK (role ~ '^[a-z_]+$'),
  CONSTRAINT saga_event_saga_check CHECK (saga ~ '^[a-z_]+$')
);

CREATE INDEX saga_event_by_saga ON saga_event (saga, saga_id, id);

ALTER TABLE saga_event ENABLE ROW LEVEL SECURITY;
ALTER TABLE saga_event FORCE ROW LEVEL SECURITY;
CREATE POLICY saga_event_scope ON saga_event FOR ALL
  USING ((SELECT app.sees_all()));
