-- Written by `npm run generate` from a migrated database. Do not edit.

-- A decision that one super admin proposes with evidence and another one confirms. A change of the cycle ends it.
CREATE TABLE harvest_resolution (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  cycle_id uuid NOT NULL,
  version integer NOT NULL,
  kind text NOT NULL,
  evidence text NOT NULL,
  requested_by_id text NOT NULL,
  requested_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When another proposal took its place.
  replaced_at timestamptz,
  CONSTRAINT harvest_resolution_cycle_id_fkey FOREIGN KEY (cycle_id) REFERENCES harvest_cycle(id) ON DELETE RESTRICT,
  CONSTRAINT harvest_resolution_evidence_check CHECK (btrim(evidence) <> ''),
  CONSTRAINT harvest_resolution_kind_check
    CHECK (kind = ANY (ARRAY['repeat', 'funding_bounced', 'funding_lost', 'abort'])),
  CONSTRAINT harvest_resolution_pkey PRIMARY KEY (id)
);

CREATE UNIQUE INDEX harvest_resolution_open ON harvest_resolution (cycle_id, version) WHERE replaced_at IS NULL;

ALTER TABLE harvest_resolution ENABLE ROW LEVEL SECURITY;
ALTER TABLE harvest_resolution FORCE ROW LEVEL SECURITY;
CREATE POLICY harvest_resolution_scope ON harvest_resolution FOR ALL
  USING ((SELECT app.sees_all()));
