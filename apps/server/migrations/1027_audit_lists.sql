-- The audit as people read it: by person, object, kind, provider and day; and the results of checking its chain.

CREATE FUNCTION app.audit_provider(target_kind text, target_id text, before jsonb, after jsonb) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN target_kind = 'provider' THEN target_id
  ELSE coalesce(after ->> 'provider_id', before ->> 'provider_id', after ->> 'selected_provider_id',
    before ->> 'selected_provider_id') END;
COMMENT ON FUNCTION app.audit_provider IS 'The provider that an audit entry names; NULL: none.';
GRANT EXECUTE ON FUNCTION app.audit_provider TO copydesk_app;

-- What people and programs did is rare among what workers do.
CREATE INDEX audit_entry_by_actor_kind ON audit_entry (actor_kind, seq DESC);
CREATE INDEX audit_entry_by_actor ON audit_entry (actor_id, seq DESC);
CREATE INDEX audit_entry_by_kind ON audit_entry (split_part(action, '.', 1), seq DESC);
CREATE INDEX audit_entry_by_provider ON audit_entry (app.audit_provider(target_kind, target_id, before, after), seq DESC)
  WHERE app.audit_provider(target_kind, target_id, before, after) IS NOT NULL;
CREATE INDEX audit_entry_by_time ON audit_entry (at, seq);

CREATE TABLE audit_verification (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  requested_at timestamptz NOT NULL DEFAULT now(),
  requested_by text NOT NULL,
  started_at timestamptz,
  finished_at timestamptz,
  is_intact boolean,
  entries bigint,
  head_hash text,
  problem_seq bigint,
  problem text CHECK (problem IN ('missing_entry', 'altered_entry', 'broken_link')),
  CONSTRAINT audit_verification_result CHECK ((finished_at IS NULL) = (is_intact IS NULL)),
  CONSTRAINT audit_verification_problem CHECK ((problem IS NULL) = (problem_seq IS NULL) AND (is_intact IS NOT FALSE) = (problem IS NULL))
);
COMMENT ON TABLE audit_verification IS
  'Checks of the whole audit chain by a worker, requested by a person or by the nightly job.';
CREATE UNIQUE INDEX audit_verification_open ON audit_verification ((true)) WHERE finished_at IS NULL;
CREATE INDEX audit_verification_by_request ON audit_verification (requested_at DESC);
ALTER TABLE audit_verification ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_verification FORCE ROW LEVEL SECURITY;
CREATE POLICY audit_verification_scope ON audit_verification FOR ALL
  USING ((SELECT app.sees_all())) WITH CHECK ((SELECT app.sees_all()));
GRANT SELECT, INSERT, UPDATE ON audit_verification TO copydesk_app;

ALTER TABLE worker_heartbeat ADD COLUMN noted_sequence bigint, ADD COLUMN noted_at timestamptz;
COMMENT ON COLUMN worker_heartbeat.noted_sequence IS
  'The last head of the audit chain that the worker noted outside of the database.';
