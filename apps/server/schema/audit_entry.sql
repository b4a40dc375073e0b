-- Written by `npm run generate` from a migrated database. Do not edit.

-- The audit: append-only. Every entry carries a keyed hash of its own; audit_seal chains them. The keys are not in
-- the database, so write access alone cannot forge history.
CREATE TABLE audit_entry (
  -- Its number, from audit_number. Numbers that a transaction took and did not commit are missing: the positions in
  -- audit_seal have no gap.
  seq bigint NOT NULL,
  at timestamptz NOT NULL,
  actor_kind text NOT NULL,
  actor_id text NOT NULL,
  actor_name text NOT NULL,
  action text NOT NULL,
  target_kind text NOT NULL,
  target_id text NOT NULL,
  before jsonb,
  after jsonb,
  request_id text,
  previous_hash bytea,
  -- Of version 1 and 2: the hash of the chain, which has been in audit_seal since.
  hash bytea,
  -- What the hashes cover. 1: times to the millisecond, NULL and JSON null alike, and no hash of its own. 2: every
  -- column, times to the microsecond, NULL apart from JSON null. 3: as 2, and the chain is in audit_seal.
  hash_version smallint NOT NULL DEFAULT 1,
  -- The key of own_hash: "worker" is that of the workers, which no API has; "api" is that of the chain. NULL:
  -- version 1.
  keyed_by text,
  -- Keyed hash over this entry, of version 2 also over the hash of the entry before. NULL: version 1.
  own_hash bytea,
  CONSTRAINT audit_entry_actor_kind_check CHECK (actor_kind = ANY (ARRAY['user', 'service', 'system'])),
  CONSTRAINT audit_entry_hash
    CHECK ((hash_version = 3) = (hash IS NULL) AND (hash IS NULL) = (previous_hash IS NULL)),
  CONSTRAINT audit_entry_own_hash
    CHECK ((hash_version = 1) = (own_hash IS NULL) AND (own_hash IS NULL) = (keyed_by IS NULL)
    AND (keyed_by = ANY (ARRAY['api', 'worker']))),
  CONSTRAINT audit_entry_pkey PRIMARY KEY (seq)
);

CREATE INDEX audit_entry_by_actor ON audit_entry (actor_id, seq DESC);
CREATE INDEX audit_entry_by_actor_kind ON audit_entry (actor_kind, seq DESC);
CREATE INDEX audit_entry_by_kind ON audit_entry (split_part(action, '.', 1), seq DESC);
CREATE INDEX audit_entry_by_provider
  ON audit_entry (app.audit_provider(target_kind, target_id, before, after), seq DESC)
  WHERE app.audit_provider(target_kind, target_id, before, after) IS NOT NULL;
CREATE INDEX audit_entry_by_target ON audit_entry (target_kind, target_id, seq DESC);
CREATE INDEX audit_entry_by_time ON audit_entry (at, seq);
CREATE INDEX audit_entry_of_decisions ON audit_entry (seq DESC) WHERE app.is_decision(action);
CREATE INDEX audit_entry_of_workers ON audit_entry (seq) WHERE keyed_by = 'worker';

ALTER TABLE audit_entry ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_entry FORCE ROW LEVEL SECURITY;
CREATE POLICY audit_entry_appending ON audit_entry FOR INSERT
  WITH CHECK ((SELECT app.sees_all()));
CREATE POLICY audit_entry_reading ON audit_entry FOR SELECT
  USING ((SELECT app.sees_all()));

CREATE TRIGGER audit_entry_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_entry FOR EACH STATEMENT
  EXECUTE FUNCTION app.refuse_change();
