-- Written by `npm run generate` from a migrated database. Do not edit.

-- The stops of all payments. Written by functions of the owner only: the API can set a stop, and never lift or
-- change one.
CREATE TABLE transfer_stop (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  reason text NOT NULL,
  -- console: a super admin; command: on the machine of a worker; alert: a worker that set too many transfers aside,
  -- or that found more transactions of a wallet on the chain than in this database.
  origin text NOT NULL,
  stopped_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  stopped_by_id text NOT NULL,
  stopped_by text NOT NULL,
  lifted_at timestamptz,
  lifted_by_id text,
  lifted_by text,
  lift_reason text,
  lift_origin text,
  CONSTRAINT transfer_stop_check CHECK (lifted_at >= stopped_at),
  CONSTRAINT transfer_stop_check1
    CHECK (num_nulls(lifted_at, lifted_by_id, lifted_by, lift_reason, lift_origin) = ANY (ARRAY[0, 5])),
  CONSTRAINT transfer_stop_lift_origin_check CHECK (lift_origin = ANY (ARRAY['console', 'command'])),
  CONSTRAINT transfer_stop_origin_check CHECK (origin = ANY (ARRAY['console', 'command', 'alert'])),
  CONSTRAINT transfer_stop_pkey PRIMARY KEY (id),
  CONSTRAINT transfer_stop_reason_check CHECK (btrim(reason) <> '' AND length(reason) <= 500)
);

CREATE INDEX transfer_stop_lifted ON transfer_stop (lifted_at) WHERE lifted_at IS NOT NULL;
CREATE UNIQUE INDEX transfer_stop_open ON transfer_stop ((lifted_at IS NULL)) WHERE lifted_at IS NULL;

ALTER TABLE transfer_stop ENABLE ROW LEVEL SECURITY;
ALTER TABLE transfer_stop FORCE ROW LEVEL SECURITY;
CREATE POLICY transfer_stop_scope ON transfer_stop FOR ALL
  USING ((SELECT app.sees_all()));
