-- What monitoring needs and only a process knew until now: results of checks, backups, and workers that have ended.

CREATE TABLE check_result (
  name text PRIMARY KEY CHECK (name ~ '^[a-z_]+$'),
  checked_at timestamptz NOT NULL DEFAULT now(),
  findings integer NOT NULL CHECK (findings >= 0)
);
COMMENT ON TABLE check_result IS
  'The last result of each check that compares the books with themselves or with the chain. The log has the details.';
COMMENT ON COLUMN check_result.findings IS 'How much the check found; 0: everything matched.';
ALTER TABLE check_result ENABLE ROW LEVEL SECURITY;
ALTER TABLE check_result FORCE ROW LEVEL SECURITY;
CREATE POLICY check_result_scope ON check_result FOR ALL USING ((SELECT app.sees_all()))
  WITH CHECK ((SELECT app.sees_all()));
REVOKE ALL ON check_result FROM copydesk_app;
GRANT SELECT, INSERT, UPDATE ON check_result TO copydesk_app;

CREATE TABLE backup_record (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  kind text NOT NULL CHECK (kind ~ '^[a-z_]+$'),
  taken_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  bytes bigint CHECK (bytes >= 0),
  location text CHECK (location <> ''),
  verified_at timestamptz,
  CONSTRAINT backup_record_times CHECK (finished_at >= taken_at AND verified_at >= finished_at),
  CONSTRAINT backup_record_verified CHECK (verified_at IS NULL OR finished_at IS NOT NULL)
);
COMMENT ON TABLE backup_record IS 'Backups of this database, as the backup command recorded them.';
COMMENT ON COLUMN backup_record.kind IS 'How it was made, as in dump.';
COMMENT ON COLUMN backup_record.taken_at IS 'It has everything that was committed until then.';
COMMENT ON COLUMN backup_record.finished_at IS 'NULL: under way, or it failed.';
COMMENT ON COLUMN backup_record.location IS 'Where it lies, without a password.';
COMMENT ON COLUMN backup_record.verified_at IS 'When it was last restored and checked. NULL: never.';
CREATE INDEX backup_record_finished ON backup_record (kind, taken_at DESC) WHERE finished_at IS NOT NULL;
CREATE INDEX backup_record_verified ON backup_record (kind, taken_at DESC) WHERE verified_at IS NOT NULL;
ALTER TABLE backup_record ENABLE ROW LEVEL SECURITY;
ALTER TABLE backup_record FORCE ROW LEVEL SECURITY;
CREATE POLICY backup_record_scope ON backup_record FOR ALL USING ((SELECT app.sees_all()))
  WITH CHECK ((SELECT app.sees_all()));
-- What was backed up once stays known: only the progress of a backup changes, and nothing is deleted.
REVOKE ALL ON backup_record FROM copydesk_app;
GRANT SELECT, INSERT ON backup_record TO copydesk_app;
GRANT UPDATE (finished_at, bytes, location, verified_at) ON backup_record TO copydesk_app;

ALTER TABLE worker_heartbeat ADD COLUMN ended_at timestamptz;
COMMENT ON COLUMN worker_heartbeat.ended_at IS
  'When the worker stopped in order; its row stays an hour, so that a restart is no alarm. NULL: it runs, or crashed.';
