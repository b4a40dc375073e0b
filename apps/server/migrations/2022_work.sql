-- What people and workers have to do: attention, bulk acts, exports, notes, jobs and backups.

CREATE TABLE worker_heartbeat (
  worker_id uuid PRIMARY KEY,
  started_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now(),
  audit_problem text,
  noted_sequence bigint,
  noted_at timestamptz,
  ended_at timestamptz,
  has_audit_key boolean NOT NULL DEFAULT false,
  runs_as text,
  program_problem text,
  pool_keys_recipients text[] NOT NULL DEFAULT '{}'
);
COMMENT ON TABLE worker_heartbeat IS 'Live workers: each updates its row every few seconds.';
COMMENT ON COLUMN worker_heartbeat.audit_problem IS
  'NULL: the last comparison of the audit chain with the heads stored outside found no problem.';
COMMENT ON COLUMN worker_heartbeat.noted_sequence IS
  'The last head of the audit chain that the worker noted outside of the database.';
COMMENT ON COLUMN worker_heartbeat.ended_at IS
  'When the worker stopped in order; its row stays an hour, so that a restart is no alarm. NULL: it runs, or crashed.';
COMMENT ON COLUMN worker_heartbeat.has_audit_key IS 'Whether it has AUDIT_WORKER_KEY.';
COMMENT ON COLUMN worker_heartbeat.runs_as IS
  'User and machine, as in 998@host: an API with the same could read and change the worker. NULL: below npm start.';
COMMENT ON COLUMN worker_heartbeat.program_problem IS
  'Which other user could change its programs or compile cache. NULL: none.';
COMMENT ON COLUMN worker_heartbeat.pool_keys_recipients IS
  'The public keys of its POOL_KEYS_IDENTITY. Empty: it has none, or is of a version that did not note them.';

REVOKE INSERT, UPDATE, DELETE ON worker_heartbeat FROM copydesk_app;
GRANT INSERT, UPDATE, DELETE ON worker_heartbeat TO copydesk_worker;

CREATE TABLE demo_world (
  seeded_at timestamptz NOT NULL,
  traders integer NOT NULL
);
COMMENT ON TABLE demo_world IS
  'When the demo world was created, and its number of traders: the simulators continue from there. Empty in '
  'production.';

REVOKE INSERT, UPDATE, DELETE ON demo_world FROM copydesk_app;

CREATE TABLE backup_record (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  kind text NOT NULL CHECK (kind ~ '^[a-z_]+$'),
  taken_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  bytes bigint CHECK (bytes >= 0),
  location text CHECK (location <> ''),
  verified_at timestamptz,
  is_encrypted boolean,
  CONSTRAINT backup_record_times CHECK (finished_at >= taken_at AND verified_at >= finished_at),
  CONSTRAINT backup_record_verified CHECK (verified_at IS NULL OR finished_at IS NOT NULL)
);
COMMENT ON TABLE backup_record IS 'Backups of this database, as the backup command recorded them.';
COMMENT ON COLUMN backup_record.kind IS 'How it was made, as in dump.';
COMMENT ON COLUMN backup_record.taken_at IS 'It has everything that was committed until then.';
COMMENT ON COLUMN backup_record.finished_at IS 'NULL: under way, or it failed.';
COMMENT ON COLUMN backup_record.location IS 'Where it lies, without a password.';
COMMENT ON COLUMN backup_record.verified_at IS 'When it was last restored and checked. NULL: never.';
COMMENT ON COLUMN backup_record.is_encrypted IS
  'Whether only a private key that is kept elsewhere opens it. NULL: nothing says so, and it is plain.';
CREATE INDEX backup_record_finished ON backup_record (kind, taken_at DESC) WHERE finished_at IS NOT NULL;
CREATE INDEX backup_record_verified ON backup_record (kind, taken_at DESC) WHERE verified_at IS NOT NULL;

ALTER TABLE backup_record ENABLE ROW LEVEL SECURITY;
ALTER TABLE backup_record FORCE ROW LEVEL SECURITY;
CREATE POLICY backup_record_scope ON backup_record FOR ALL USING ((SELECT app.sees_all()))
  WITH CHECK ((SELECT app.sees_all()));

-- What was backed up once stays known: only the progress of a backup changes, and nothing is deleted.
REVOKE UPDATE, DELETE ON backup_record FROM copydesk_app;
GRANT UPDATE (finished_at, bytes, location, verified_at) ON backup_record TO copydesk_app;

-- Lists that a person has had exported, and the parts of their files. The row is the work (docs/decisions/0109).
CREATE TABLE export (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  user_id text NOT NULL,
  list text NOT NULL CHECK (list IN ('traders', 'closed_positions', 'invoices', 'payouts', 'audit', 'refusals')),
  params jsonb NOT NULL CHECK (jsonb_typeof(params) = 'object'),
  query jsonb NOT NULL CHECK (jsonb_typeof(query) = 'object'),
  organization_id uuid,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'ready', 'failed')),
  rows integer NOT NULL DEFAULT 0,
  rows_expected integer,
  bytes bigint,
  sha256 text CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  parts integer,
  sees_all boolean,
  provider_ids uuid[],
  reason text CHECK (reason IN ('access_changed', 'not_found', 'outdated', 'too_slow', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  leased_until timestamptz,
  lease_number bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  finished_at timestamptz,
  expires_at timestamptz,
  selected jsonb,
  CONSTRAINT export_failed CHECK ((reason IS NOT NULL) = (state = 'failed')),
  CONSTRAINT export_file CHECK (num_nonnulls(bytes, sha256, parts, sees_all, provider_ids, expires_at) = CASE state
    WHEN 'ready' THEN 6 ELSE 0 END),
  CONSTRAINT export_finished CHECK ((finished_at IS NOT NULL) = (state IN ('ready', 'failed'))),
  CONSTRAINT export_selected CHECK (jsonb_typeof(selected) = 'object')
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
COMMENT ON COLUMN export.selected IS
  'The selected rows, as they were sent: their ids, or those that are left out. NULL: all that match.';
CREATE INDEX export_by_user ON export (user_id, created_at DESC);
CREATE INDEX export_open ON export (created_at) WHERE state IN ('waiting', 'running');
CREATE INDEX export_by_time ON export (created_at);

ALTER TABLE export ENABLE ROW LEVEL SECURITY;
ALTER TABLE export FORCE ROW LEVEL SECURITY;
CREATE POLICY export_scope ON export FOR ALL USING (
  'user:' || user_id = (SELECT app.caller()) OR (SELECT app.is_worker()) AND (SELECT app.sees_all()));

CREATE TRIGGER export_waiting AFTER INSERT ON export FOR EACH STATEMENT EXECUTE FUNCTION app.announce_work();
CREATE TRIGGER export_announced AFTER INSERT OR DELETE OR UPDATE OF state, rows, rows_expected ON export FOR EACH ROW
  EXECUTE FUNCTION app.announce_own();

REVOKE INSERT, UPDATE ON export FROM copydesk_app;
GRANT INSERT (user_id, list, params, query, organization_id, rows_expected, created_at, selected)
  ON export TO copydesk_app;
GRANT UPDATE (state, rows, rows_expected, bytes, sha256, parts, sees_all, provider_ids, reason, attempts,
  leased_until, lease_number, finished_at, expires_at) ON export TO copydesk_worker;

CREATE TABLE export_part (
  export_id uuid NOT NULL REFERENCES export ON DELETE CASCADE,
  number integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (export_id, number)
);
ALTER TABLE export_part ALTER COLUMN bytes SET STORAGE EXTERNAL;
COMMENT ON TABLE export_part IS 'The file of an export: in order, its parts are one gzip stream.';

ALTER TABLE export_part ENABLE ROW LEVEL SECURITY;
ALTER TABLE export_part FORCE ROW LEVEL SECURITY;
CREATE POLICY export_part_scope ON export_part FOR ALL USING (EXISTS (SELECT FROM export e WHERE e.id = export_id));

REVOKE INSERT, UPDATE, DELETE ON export_part FROM copydesk_app;
GRANT INSERT, DELETE ON export_part TO copydesk_worker;

-- What a person has a worker do to many traders, and what became of each. The act is the work (docs/decisions/0110).
CREATE TABLE bulk_act (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  user_id text NOT NULL,
  user_name text NOT NULL,
  organization_id uuid,
  act text NOT NULL CHECK (act IN ('status', 'read', 'notify', 'ask_key')),
  status text,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'done', 'cancelled')),
  total integer NOT NULL CHECK (total > 0),
  done integer NOT NULL DEFAULT 0,
  left_out integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  begins_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  leased_until timestamptz,
  lease_number bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  finished_at timestamptz,
  CONSTRAINT bulk_act_finished CHECK ((finished_at IS NOT NULL) = (state IN ('done', 'cancelled'))),
  CONSTRAINT bulk_act_status CHECK ((status IS NOT NULL) = (act = 'status'))
);
COMMENT ON TABLE bulk_act IS 'Acts on many traders, done one by one by a worker under the name and the rights of the person who ordered them.';
COMMENT ON COLUMN bulk_act.user_name IS 'As the audit names the person.';
COMMENT ON COLUMN bulk_act.organization_id IS 'The one provider in which the person worked. NULL: in all of its own.';
COMMENT ON COLUMN bulk_act.status IS 'What the act "status" sets.';
COMMENT ON COLUMN bulk_act.done IS 'Counted from its rows, some seconds old while it runs.';
COMMENT ON COLUMN bulk_act.begins_at IS 'Until then it can be stopped before anything was done.';
COMMENT ON COLUMN bulk_act.attempts IS 'How often a worker has begun since a row was last done.';
COMMENT ON COLUMN bulk_act.leased_until IS 'Until then one worker does it.';
COMMENT ON COLUMN bulk_act.lease_number IS 'Fences off a worker that lost its lease, or whose act was stopped.';
CREATE INDEX bulk_act_by_user ON bulk_act (user_id, created_at DESC);
CREATE INDEX bulk_act_open ON bulk_act (due_at) WHERE state IN ('waiting', 'running');
CREATE INDEX bulk_act_by_time ON bulk_act (created_at);

ALTER TABLE bulk_act ENABLE ROW LEVEL SECURITY;
ALTER TABLE bulk_act FORCE ROW LEVEL SECURITY;
CREATE POLICY bulk_act_scope ON bulk_act FOR ALL USING (
  'user:' || user_id = (SELECT app.caller()) OR (SELECT app.is_worker()) AND (SELECT app.sees_all()));

CREATE TRIGGER bulk_act_waiting AFTER INSERT OR UPDATE OF state ON bulk_act
  FOR EACH ROW WHEN (NEW.state = 'waiting') EXECUTE FUNCTION app.announce_work();
CREATE TRIGGER bulk_act_announced AFTER INSERT OR DELETE OR UPDATE OF state, done, left_out, failed ON bulk_act FOR EACH ROW
  EXECUTE FUNCTION app.announce_own();

-- Stopping it, and trying again what failed.
REVOKE INSERT, UPDATE, DELETE ON bulk_act FROM copydesk_app;
GRANT INSERT (user_id, user_name, organization_id, act, status, total, left_out, begins_at, due_at, created_at)
  ON bulk_act TO copydesk_app;
GRANT UPDATE (state, done, left_out, failed, due_at, attempts, leased_until, lease_number, finished_at)
  ON bulk_act TO copydesk_app;
GRANT DELETE ON bulk_act TO copydesk_worker;

CREATE TABLE bulk_act_row (
  bulk_act_id uuid NOT NULL REFERENCES bulk_act ON DELETE CASCADE,
  "position" integer NOT NULL,
  trader_id uuid NOT NULL,
  before text,
  outcome text CHECK (outcome IN ('done', 'left_out', 'failed')),
  reason text
    CHECK (reason IN ('has_status', 'no_accounts', 'nothing_unpaid', 'keys_work', 'not_reachable', 'told_lately',
    'changed_meanwhile', 'gone', 'access_changed')),
  PRIMARY KEY (bulk_act_id, "position"),
  CONSTRAINT bulk_act_row_trader UNIQUE (bulk_act_id, trader_id),
  CONSTRAINT bulk_act_row_left_out CHECK ((reason IS NOT NULL) = (NOT outcome IS DISTINCT FROM 'left_out'))
);
COMMENT ON TABLE bulk_act_row IS 'One trader of a bulk act. Its outcome is written in the transaction of what was done.';
COMMENT ON COLUMN bulk_act_row.trader_id IS 'No reference: a trader can be deleted, and the row says so.';
COMMENT ON COLUMN bulk_act_row.before IS 'The status that the person saw. Another one by then is left as it is.';
CREATE INDEX bulk_act_row_left ON bulk_act_row (bulk_act_id, position) WHERE outcome IS NULL;

ALTER TABLE bulk_act_row ENABLE ROW LEVEL SECURITY;
ALTER TABLE bulk_act_row FORCE ROW LEVEL SECURITY;
CREATE POLICY bulk_act_row_scope ON bulk_act_row FOR ALL USING (
  EXISTS (SELECT FROM bulk_act b WHERE b.id = bulk_act_id));

REVOKE INSERT, UPDATE, DELETE ON bulk_act_row FROM copydesk_app;
GRANT INSERT (bulk_act_id, "position", trader_id, before, outcome, reason) ON bulk_act_row TO copydesk_app;
GRANT UPDATE (outcome, reason) ON bulk_act_row TO copydesk_app;

CREATE TABLE attention_mark (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  kind text NOT NULL CHECK (kind ~ '^[a-z_]{1,40}$'),
  subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 200),
  provider_id uuid REFERENCES provider,
  version integer NOT NULL DEFAULT 1 CHECK (version > 0),
  marked_at timestamptz NOT NULL DEFAULT now(),
  taken_by_id text,
  taken_by text,
  taken_at timestamptz,
  snoozed_until timestamptz,
  snoozed_by text,
  snooze_reason text CHECK (btrim(snooze_reason) <> ''),
  snoozed_cause text,
  CONSTRAINT attention_mark_once UNIQUE NULLS NOT DISTINCT (kind, subject, provider_id),
  CONSTRAINT attention_mark_taken CHECK (num_nonnulls(taken_by_id, taken_by, taken_at) IN (0, 3)),
  CONSTRAINT attention_mark_snoozed
    CHECK (num_nonnulls(snoozed_until, snoozed_by, snooze_reason, snoozed_cause) IN (0, 4))
);
COMMENT ON TABLE attention_mark IS
  'Who attends to an item that needs attention, and until when it sleeps. It holds for an item that began before: one that went and came back begins without.';
COMMENT ON COLUMN attention_mark.provider_id IS
  'Whose item it is, where each provider has its own. NULL: one of super admins.';
COMMENT ON COLUMN attention_mark.snoozed_cause IS 'The cause then: with another one the item is awake.';
CREATE INDEX attention_mark_by_provider ON attention_mark (provider_id) WHERE provider_id IS NOT NULL;
CREATE INDEX attention_mark_lately ON attention_mark (marked_at);

ALTER TABLE attention_mark ENABLE ROW LEVEL SECURITY;
ALTER TABLE attention_mark FORCE ROW LEVEL SECURITY;
CREATE POLICY attention_mark_scope ON attention_mark USING (
  (SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[])
) WITH CHECK (
  (SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[])
);

CREATE FUNCTION app.announce_mark() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO change_event (topic, provider_ids)
  VALUES ('attention', array_remove(ARRAY[NEW.provider_id], NULL));
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION app.announce_mark() IS
  'Announces to those who see an item that somebody did something about it: the list is read again.';

CREATE TRIGGER attention_mark_announced AFTER INSERT OR UPDATE ON attention_mark FOR EACH ROW
  EXECUTE FUNCTION app.announce_mark();

-- What waits for a person is mailed to it when it asks for that: once a day, and at once.
CREATE TABLE attention_mail (
  user_id text PRIMARY KEY CHECK (user_id <> ''),
  digest_hour smallint CHECK (digest_hour >= 0 AND digest_hour <= 23),
  at_once text NOT NULL DEFAULT 'nothing' CHECK (at_once IN ('nothing', 'urgent', 'approvals')),
  updated_at timestamptz NOT NULL DEFAULT now(),
  digest_on date,
  mailed_at timestamptz,
  mailed text[] NOT NULL DEFAULT '{}',
  channel text NOT NULL DEFAULT 'mail' CHECK (channel IN ('mail', 'telegram'))
);
COMMENT ON TABLE attention_mail IS 'Which mails of what needs a person this person wants, and which it got.';
COMMENT ON COLUMN attention_mail.digest_hour IS 'In the time zone of the person. NULL: never.';
COMMENT ON COLUMN attention_mail.at_once IS 'urgent: what is urgent; approvals: this, and what it may approve.';
COMMENT ON COLUMN attention_mail.digest_on IS 'The day of the person on which the last digest was written.';
COMMENT ON COLUMN attention_mail.mailed IS
  'The items that it was mailed at once and that still wait, each by its kind, subject and beginning.';
COMMENT ON COLUMN attention_mail.channel IS
  'telegram: by the chat of the person, and by mail while that cannot be reached.';

ALTER TABLE attention_mail ENABLE ROW LEVEL SECURITY;
ALTER TABLE attention_mail FORCE ROW LEVEL SECURITY;
CREATE POLICY attention_mail_own ON attention_mail
  USING (('user:' || user_id) = (SELECT app.caller()) OR (SELECT app.is_worker()));

CREATE TABLE failing_job (
  name text PRIMARY KEY CHECK (name ~ '^[a-z-]{1,60}$'),
  since timestamptz NOT NULL DEFAULT now(),
  runs integer NOT NULL DEFAULT 1 CHECK (runs > 0)
);
COMMENT ON TABLE failing_job IS
  'Recurring jobs whose last run failed. The row goes with the next run that succeeds; the log has the reasons.';
COMMENT ON COLUMN failing_job.since IS 'When the first of them failed.';
COMMENT ON COLUMN failing_job.runs IS 'Runs that failed one after the other, attempts of the queue included.';

ALTER TABLE failing_job ENABLE ROW LEVEL SECURITY;
ALTER TABLE failing_job FORCE ROW LEVEL SECURITY;
CREATE POLICY failing_job_scope ON failing_job FOR ALL USING ((SELECT app.sees_all()))
  WITH CHECK ((SELECT app.sees_all()));

REVOKE INSERT, UPDATE, DELETE ON failing_job FROM copydesk_app;
GRANT INSERT, UPDATE, DELETE ON failing_job TO copydesk_worker;

CREATE TABLE note (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  subject_kind text NOT NULL CHECK (subject_kind IN ('trader', 'invoice', 'payout', 'pool')),
  subject_id uuid NOT NULL,
  provider_id uuid REFERENCES provider,
  text text CHECK (length(text) BETWEEN 1 AND 2000),
  author_id text NOT NULL,
  author text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  edited_at timestamptz,
  removed_at timestamptz,
  removed_by text,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT note_removed CHECK ((text IS NULL) = (removed_at IS NOT NULL)
    AND (removed_at IS NULL) = (removed_by IS NULL))
);
COMMENT ON TABLE note IS 'What people write about something for each other. It is no part of the audit.';
COMMENT ON COLUMN note.provider_id IS 'Whose staff reads it besides super admins. NULL: super admins alone.';
COMMENT ON COLUMN note.text IS 'NULL: removed. That it was there stays.';
CREATE INDEX note_of_subject ON note (subject_kind, subject_id, created_at DESC, id);
CREATE INDEX note_by_provider ON note (provider_id);

ALTER TABLE note ENABLE ROW LEVEL SECURITY;
ALTER TABLE note FORCE ROW LEVEL SECURITY;
CREATE POLICY note_scope ON note FOR ALL
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[])));

REVOKE UPDATE, DELETE ON note FROM copydesk_app;
GRANT UPDATE (text, edited_at, removed_at, removed_by, version) ON note TO copydesk_app;

CREATE TABLE note_mention (
  note_id uuid NOT NULL REFERENCES note,
  person_id text NOT NULL,
  done_at timestamptz,
  PRIMARY KEY (note_id, person_id)
);
COMMENT ON TABLE note_mention IS 'Who is asked to look at a note.';
COMMENT ON COLUMN note_mention.done_at IS 'When that person had seen it. NULL: it waits for it.';
CREATE INDEX note_mention_open ON note_mention (person_id) WHERE done_at IS NULL;

ALTER TABLE note_mention ENABLE ROW LEVEL SECURITY;
ALTER TABLE note_mention FORCE ROW LEVEL SECURITY;
CREATE POLICY note_mention_scope ON note_mention FOR ALL
  USING ((SELECT app.sees_all()) OR EXISTS (SELECT FROM note n WHERE n.id = note_id));

REVOKE UPDATE ON note_mention FROM copydesk_app;
GRANT UPDATE (done_at) ON note_mention TO copydesk_app;

-- The API orders no other work: these two queues, and a subject without content of its own. One waiting job of a subject
-- is enough, because every read sees the whole of it; of several times the latest stays, whatever order they commit in.
-- The columns are those of pg-boss, which is pinned to its exact version.
CREATE FUNCTION app.request_sync(queue text, kind text, subject text, since timestamptz) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
  IF queue IS NULL OR queue NOT IN ('stripe-sync', 'clerk-sync')
    OR kind IS NULL OR kind !~ '^[a-z_]{1,30}$' OR subject IS NULL OR length(subject) NOT BETWEEN 1 AND 255 THEN
    RAISE EXCEPTION 'no such work can be ordered' USING ERRCODE = 'insufficient_privilege';
  END IF;
  INSERT INTO pgboss.job_common AS waiting (name, singleton_key, data, policy, retry_limit, retry_delay, retry_backoff,
    retry_delay_max, expire_seconds, heartbeat_seconds, deletion_seconds, keep_until, dead_letter)
  SELECT q.name, kind || ':' || subject,
    jsonb_strip_nulls(jsonb_build_object('kind', kind, 'id', subject, 'since', since)),
    q.policy, q.retry_limit, q.retry_delay, q.retry_backoff, q.retry_delay_max, q.expire_seconds, q.heartbeat_seconds,
    q.deletion_seconds, now() + q.retention_seconds * interval '1 second', q.dead_letter
  FROM pgboss.queue q WHERE q.name = queue
  ON CONFLICT (name, COALESCE(singleton_key, '')) WHERE state = 'created' AND policy = 'short'
  DO UPDATE SET data = excluded.data
    WHERE (waiting.data ->> 'since')::timestamptz < (excluded.data ->> 'since')::timestamptz;
  IF NOT EXISTS (SELECT FROM pgboss.queue q WHERE q.name = queue) THEN
    RAISE EXCEPTION 'the queue % is missing: npm run migrate makes it', queue;
  END IF;
  PERFORM pg_notify('copydesk_work', queue);
END
$$;
COMMENT ON FUNCTION app.request_sync(text, text, text, timestamptz) IS
  'Has a worker read a subject at Stripe or Clerk again once this transaction has committed.';
GRANT EXECUTE ON FUNCTION app.request_sync(text, text, text, timestamptz) TO copydesk_app;

-- One row: what the database says of its standbys. Its owner must be a member of pg_read_all_stats; others see no
-- positions. `confirmed` is what as many standbys have on disk as a commit waits for. Services with a log of their own
-- (Aurora) refuse to tell of it: positions are NULL there.
CREATE FUNCTION app.replication(OUT timeline text, OUT flushed pg_lsn, OUT confirmed pg_lsn, OUT names text,
  OUT wanted int, OUT connected int, OUT is_hidden boolean)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  positions pg_lsn[];
BEGIN
  names := trim(current_setting('synchronous_standby_names'));
  wanted := coalesce(substring(names FROM '^(?:[A-Za-z]+\s*)?(\d+)\s*\(')::int, 1);
  connected := 0;
  is_hidden := false;
  IF NOT pg_is_in_recovery() THEN
    flushed := pg_current_wal_flush_lsn();
    timeline := left(pg_walfile_name(flushed), 8);
  END IF;
  SELECT array_agg(r.flush_lsn ORDER BY r.flush_lsn DESC NULLS LAST) FILTER (WHERE r.sync_state IN ('sync', 'quorum')),
    bool_or(r.sync_state IS NULL)
  INTO positions, is_hidden FROM pg_stat_replication r;
  is_hidden := coalesce(is_hidden, false);
  connected := coalesce(cardinality(positions), 0);
  confirmed := positions[wanted];
EXCEPTION WHEN feature_not_supported OR object_not_in_prerequisite_state OR insufficient_privilege THEN
  NULL;
END
$$;
GRANT EXECUTE ON FUNCTION app.replication() TO copydesk_app;

-- The smallest number of a lease that is taken now: above all that an earlier leader of the database can have given, also
-- in commits that were lost with it. A worker that still holds one of those holds nothing here. Services that do not tell
-- of their log lose no commit either.
CREATE FUNCTION app.lease_floor() RETURNS bigint
  LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  RETURN ('x' || lpad(left(pg_walfile_name(pg_current_wal_lsn()), 8), 16, '0'))::bit(64)::bigint << 32;
EXCEPTION WHEN feature_not_supported OR object_not_in_prerequisite_state OR insufficient_privilege THEN
  RETURN 0;
END
$$;
GRANT EXECUTE ON FUNCTION app.lease_floor() TO copydesk_app;

-- Seconds since the archive of the log last took a segment, while it takes none; 0: it does; NULL: there is none, or the
-- service does not tell.
CREATE FUNCTION app.archive_failing() RETURNS float8
  LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  RETURN (SELECT CASE WHEN a.last_failed_time > coalesce(a.last_archived_time, '-infinity')
      THEN extract(epoch FROM now() - coalesce(a.last_archived_time, a.stats_reset)) ELSE 0 END
    FROM pg_stat_archiver a WHERE current_setting('archive_mode') <> 'off');
EXCEPTION WHEN feature_not_supported OR object_not_in_prerequisite_state OR insufficient_privilege THEN
  RETURN NULL;
END
$$;
GRANT EXECUTE ON FUNCTION app.archive_failing() TO copydesk_app;

-- The first super admin claims the set-up token, and the personas of a demo world come with it.
CREATE FUNCTION identity.needs_no_sponsor(candidate uuid) RETURNS boolean
  LANGUAGE sql STABLE
  SET search_path = public, pg_temp
BEGIN ATOMIC
  SELECT NOT EXISTS (SELECT FROM identity.user_access a
      WHERE a.user_id <> candidate AND a.super AND a.disabled_at IS NULL AND a.accepted_at IS NOT NULL)
    OR (EXISTS (SELECT FROM demo_world)
      AND EXISTS (SELECT FROM identity."user" u WHERE u.id = candidate AND u.email LIKE '%@demo.example'));
END;
COMMENT ON FUNCTION identity.needs_no_sponsor(uuid) IS
  'Whether a user may be a confirmed super admin without another one: the only one, who approves nothing alone, or a persona of a demo world.';
GRANT EXECUTE ON FUNCTION identity.needs_no_sponsor(uuid) TO copydesk_app;
