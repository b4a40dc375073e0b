-- Who changed what. Insert only; every entry carries a keyed hash over itself and the entry before it.
-- The key is not in the database, so a person who can write here still cannot write history.

CREATE TABLE audit_entry (
  seq bigint PRIMARY KEY,
  at timestamptz NOT NULL,
  actor_kind text NOT NULL CHECK (actor_kind IN ('user', 'service', 'system')),
  actor_id text NOT NULL,
  actor_name text NOT NULL,
  action text NOT NULL,
  target_kind text NOT NULL,
  target_id text NOT NULL,
  before jsonb,
  after jsonb,
  request_id text,
  previous_hash bytea NOT NULL,
  hash bytea NOT NULL UNIQUE
);
CREATE INDEX audit_entry_by_target ON audit_entry (target_kind, target_id, seq DESC);

ALTER TABLE audit_entry ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_entry FORCE ROW LEVEL SECURITY;
CREATE POLICY audit_entry_reading ON audit_entry FOR SELECT USING ((SELECT app.sees_all()));
CREATE POLICY audit_entry_appending ON audit_entry FOR INSERT WITH CHECK (true);
REVOKE UPDATE, DELETE, TRUNCATE ON audit_entry FROM copydesk_app;

CREATE FUNCTION app.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER audit_entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entry
  FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();

-- The newest entry, for the writer of the next one. The lock makes writers take turns until they commit, so an
-- entry is appended as the last statement of its transaction.
CREATE FUNCTION app.audit_head(OUT seq bigint, OUT hash bytea)
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('copydesk.audit'));
  SELECT e.seq, e.hash INTO audit_head.seq, audit_head.hash
  FROM audit_entry e ORDER BY e.seq DESC LIMIT 1;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;

-- Which workers are alive: each writes its row every few seconds.
CREATE TABLE worker_heartbeat (
  worker_id uuid PRIMARY KEY,
  started_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now()
);
