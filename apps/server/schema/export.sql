-- Written by `npm run generate` from a migrated database. Do not edit.

-- Lists exported in the background. They belong to the person, whatever the scope.
CREATE TABLE export (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  user_id text NOT NULL,
  list text NOT NULL,
  -- Of the path of the list's own export call, as they were sent.
  params jsonb NOT NULL,
  -- Its filters and order, as they were sent.
  query jsonb NOT NULL,
  -- The one provider in which the person worked. NULL: in all of its own.
  organization_id uuid,
  state text NOT NULL DEFAULT 'waiting',
  -- Written so far.
  rows integer NOT NULL DEFAULT 0,
  -- As counted when it was asked for, and when it began. NULL: more than are counted.
  rows_expected integer,
  bytes bigint,
  sha256 text,
  -- How many parts the file has. Some are missing: it is not sent.
  parts integer,
  -- With provider_ids, the scope that the file was made with: it is sent to who still has all of it.
  sees_all boolean,
  provider_ids uuid[],
  reason text,
  -- How often a worker has begun it.
  attempts integer NOT NULL DEFAULT 0,
  -- Until then one worker writes it.
  leased_until timestamptz,
  -- Fences off a worker that lost its lease.
  lease_number bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  finished_at timestamptz,
  -- From then on the file is not sent, and a job removes it.
  expires_at timestamptz,
  -- The selected rows, as they were sent: their ids, or those that are left out. NULL: all that match.
  selected jsonb,
  CONSTRAINT export_failed CHECK ((reason IS NOT NULL) = (state = 'failed')),
  CONSTRAINT export_file CHECK (num_nonnulls(bytes, sha256, parts, sees_all, provider_ids, expires_at) = CASE state
    WHEN 'ready' THEN 6 ELSE 0 END),
  CONSTRAINT export_finished CHECK ((finished_at IS NOT NULL) = (state = ANY (ARRAY['ready', 'failed']))),
  CONSTRAINT export_list_check
    CHECK (list = ANY (ARRAY['traders', 'closed_positions', 'invoices', 'payouts', 'audit', 'refusals'])),
  CONSTRAINT export_params_check CHECK (jsonb_typeof(params) = 'object'),
  CONSTRAINT export_pkey PRIMARY KEY (id),
  CONSTRAINT export_query_check CHECK (jsonb_typeof(query) = 'object'),
  CONSTRAINT export_reason_check
    CHECK (reason = ANY (ARRAY['access_changed', 'not_found', 'outdated', 'too_slow', 'failed'])),
  CONSTRAINT export_selected CHECK (jsonb_typeof(selected) = 'object'),
  CONSTRAINT export_sha256_check CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  CONSTRAINT export_state_check CHECK (state = ANY (ARRAY['waiting', 'running', 'ready', 'failed']))
);

CREATE INDEX export_by_time ON export (created_at);
CREATE INDEX export_by_user ON export (user_id, created_at DESC);
CREATE INDEX export_open ON export (created_at) WHERE state = ANY (ARRAY['waiting', 'running']);

ALTER TABLE export ENABLE ROW LEVEL SECURITY;
ALTER TABLE export FORCE ROW LEVEL SECURITY;
CREATE POLICY export_scope ON export FOR ALL
  USING (('user:' || user_id) = ((SELECT app.caller())) OR (SELECT app.is_worker()) AND (SELECT app.sees_all()));

CREATE TRIGGER export_announced AFTER INSERT OR DELETE OR UPDATE OF state, rows, rows_expected ON export FOR EACH ROW
  EXECUTE FUNCTION app.announce_own();
CREATE TRIGGER export_waiting AFTER INSERT ON export FOR EACH STATEMENT EXECUTE FUNCTION app.announce_work();
