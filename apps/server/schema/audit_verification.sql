-- Written by `npm run generate` from a migrated database. Do not edit.

-- Checks of the whole audit chain by a worker, requested by a person or by the nightly job.
CREATE TABLE audit_verification (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  requested_at timestamptz NOT NULL DEFAULT now(),
  requested_by text NOT NULL,
  started_at timestamptz,
  finished_at timestamptz,
  is_intact boolean,
  entries bigint,
  head_hash text,
  problem_seq bigint,
  problem text,
  -- Entries of workers whose own hash was not checked, because the check had no key of the workers.
  unchecked_entries bigint,
  -- Entries under the name of the worker that do not carry the hash of its key, although it had one by then.
  foreign_entries bigint,
  -- The first of them.
  foreign_seq bigint,
  CONSTRAINT audit_verification_pkey PRIMARY KEY (id),
  CONSTRAINT audit_verification_problem
    CHECK ((problem IS NULL) = (problem_seq IS NULL) AND (is_intact IS NOT FALSE) = (problem IS NULL)),
  CONSTRAINT audit_verification_problem_check
    CHECK (problem = ANY (ARRAY['missing_entry', 'altered_entry', 'broken_link'])),
  CONSTRAINT audit_verification_result CHECK ((finished_at IS NULL) = (is_intact IS NULL))
);

CREATE INDEX audit_verification_by_request ON audit_verification (requested_at DESC);
CREATE UNIQUE INDEX audit_verification_open ON audit_verification ((true)) WHERE finished_at IS NULL;

ALTER TABLE audit_verification ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_verification FORCE ROW LEVEL SECURITY;
CREATE POLICY audit_verification_scope ON audit_verification FOR ALL
  USING ((SELECT app.sees_all()))
  WITH CHECK ((SELECT app.sees_all()));
