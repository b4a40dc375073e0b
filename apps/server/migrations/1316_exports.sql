-- Lists that a person has had exported, and the parts of their files. The row is the work (docs/decisions/0109).
CREATE TABLE export (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  user_id text NOT NULL,
  list text NOT NULL CHECK (list IN ('traders', 'closed_positions', 'invoices', 'payouts', 'audit', 'refusals')),
  params jsonb NOT NULL CHECK (jsonb_typeof(params) = 'object'),
  query jsonb NOT NULL CHECK (jsonb_typeof(query) = 'object'),
  organization_id uuid,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'ready', 'failed')),
  rows int NOT NULL DEFAULT 0,
  rows_expected int,
  bytes bigint,
  sha256 text CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  parts int,
  sees_all boolean,
  provider_ids uuid[],
  reason text CHECK (reason IN ('access_changed', 'not_found', 'outdated', 'too_slow', 'failed')),
  attempts int NOT NULL DEFAULT 0,
  leased_until timestamptz,
  lease_number bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  finished_at timestamptz,
  expires_at timestamptz,
  CONSTRAINT export_finished CHECK ((finished_at IS NOT NULL) = (state IN ('ready', 'failed'))),
  CONSTRAINT export_failed CHECK ((reason IS NOT NULL) = (state = 'failed')),
  CONSTRAINT export_file CHECK (
    num_nonnulls(bytes, sha256, parts, sees_all, provider_ids, expires_at) = CASE state WHEN 'ready' THEN 6 ELSE 0 END)
);
COMMENT ON TABLE export IS 'Lists exported in the background. They belong to the person, whatever the scope.';
COMMENT ON COLUMN export.params IS 'Of the path of the list''s own export call, as they were sent.';
COMMENT ON COLUMN export.query IS 'Its filters and order, as they were sent.';
COMMENT ON COLUMN export.organization_id IS 'The one provider in which the person worked. NULL: in all of its own.';
COMMENT ON COLUMN export.rows IS 'Written so far.';
COMMENT ON COLUMN export.rows_expected IS 'As counted when it was asked for, and when it began. NULL: more than are counted.';
COMMENT ON COLUMN export.parts IS 'How many parts the file has. Some are missing: it is not sent.';
COMMENT ON COLUMN export.sees_all IS 'With provider_ids, the scope that the file was made with: it is sent to who still has all of it.';
COMMENT ON COLUMN export.attempts IS 'How often a worker has begun it.';
COMMENT ON COLUMN export.leased_until IS 'Until then one worker writes it.';
COMMENT ON COLUMN export.lease_number IS 'Fences off a worker that lost its lease.';
COMMENT ON COLUMN export.expires_at IS 'From then on the file is not sent, and a job removes it.';
CREATE INDEX export_by_user ON export (user_id, created_at DESC);
CREATE INDEX export_open ON export (created_at) WHERE state IN ('waiting', 'running');
CREATE INDEX export_by_time ON export (created_at);

CREATE TABLE export_part (
  export_id uuid NOT NULL REFERENCES export ON DELETE CASCADE,
  number int NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (export_id, number)
);
COMMENT ON TABLE export_part IS 'The file of an export: in order, its parts are one gzip stream.';
-- It is compressed already.
ALTER TABLE export_part ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Not even a super admin sees the exports of another person: only who writes them sees all.
ALTER TABLE export ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY export_scope ON export FOR ALL USING (
  'user:' || user_id = (SELECT app.caller()) OR (SELECT app.is_worker()) AND (SELECT app.sees_all()));
ALTER TABLE export_part ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY export_part_scope ON export_part FOR ALL USING (EXISTS (SELECT FROM export e WHERE e.id = export_id));

-- compatible: the tables are new
REVOKE INSERT, UPDATE ON export FROM copydesk_app;
GRANT INSERT (user_id, list, params, query, organization_id, rows_expected, created_at) ON export TO copydesk_app;
GRANT UPDATE (state, rows, rows_expected, bytes, sha256, parts, sees_all, provider_ids, reason, attempts, leased_until,
  lease_number, finished_at, expires_at) ON export TO copydesk_worker;
-- compatible: as above
REVOKE INSERT, UPDATE, DELETE ON export_part FROM copydesk_app;
GRANT INSERT, DELETE ON export_part TO copydesk_worker;

CREATE TRIGGER export_waiting AFTER INSERT ON export FOR EACH STATEMENT EXECUTE FUNCTION app.announce_work();

-- What a person keeps for itself is announced to this person alone.
ALTER TABLE change_event ADD COLUMN user_id text;
COMMENT ON COLUMN change_event.user_id IS 'The one person who receives the event. NULL: those in the scope.';
ALTER POLICY change_event_scope ON change_event USING (
  (SELECT app.sees_all()) OR provider_ids && (SELECT app.provider_ids())::uuid[] OR 'user:' || user_id = (SELECT app.caller()));
-- Lists of topics: old rows have earlier ones, so nothing has to be read.
ALTER TABLE change_event
  DROP CONSTRAINT change_event_topic_check,
  ADD CONSTRAINT change_event_topic_check CHECK (topic IN ('trader', 'community', 'provider', 'payout', 'invoice',
    'payment', 'pool', 'stop', 'export')) NOT VALID;

CREATE FUNCTION app.announce_export() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
  changed export := coalesce(NEW, OLD);
BEGIN
  INSERT INTO change_event (topic, entity_id, provider_ids, user_id)
  VALUES ('export', changed.id, '{}', changed.user_id);
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
CREATE TRIGGER export_announced AFTER INSERT OR DELETE OR UPDATE OF state, rows, rows_expected ON export FOR EACH ROW
  EXECUTE FUNCTION app.announce_export();
