-- The security log: attempts that were refused, counted by hour so that a flood raises a counter and adds no rows.

CREATE TABLE refused_attempt (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  hour timestamptz NOT NULL,
  kind text NOT NULL CHECK (kind IN ('access', 'authentication', 'reauthentication', 'four_eyes', 'rate')),
  code text NOT NULL,
  call text,
  caller_kind text CHECK (caller_kind IN ('user', 'service')),
  caller_id text,
  caller_name text,
  network text,
  address text,
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  count bigint NOT NULL CHECK (count > 0),
  request_id text,
  CONSTRAINT refused_attempt_key UNIQUE NULLS NOT DISTINCT (hour, code, call, caller_kind, caller_id, network),
  CONSTRAINT refused_attempt_caller CHECK ((caller_kind IS NULL) = (caller_id IS NULL) AND (caller_id IS NULL) = (caller_name IS NULL)),
  CONSTRAINT refused_attempt_rest CHECK ((call IS NULL) = (network IS NULL) AND (network IS NULL) = (address IS NULL)),
  CONSTRAINT refused_attempt_times CHECK (hour <= first_at AND first_at <= last_at)
);
COMMENT ON TABLE refused_attempt IS
  'Attempts that were refused, one row for an hour, code, call, caller and network. Kept for 180 days.';
COMMENT ON COLUMN refused_attempt.call IS
  'Method and path of the contract, never the URL. NULL: several calls and networks, beyond what one hour lists.';
COMMENT ON COLUMN refused_attempt.caller_id IS
  'NULL: unknown. Of a sign-in, the account only if the e-mail address has one: people type passwords into that field.';
COMMENT ON COLUMN refused_attempt.network IS 'The address, or the first half of an IPv6 address.';
COMMENT ON COLUMN refused_attempt.address IS 'The address of the last attempt.';

CREATE INDEX refused_attempt_by_time ON refused_attempt (last_at DESC, id DESC);
CREATE INDEX refused_attempt_by_kind ON refused_attempt (kind, last_at DESC, id DESC);
CREATE INDEX refused_attempt_by_code ON refused_attempt (code, last_at DESC, id DESC);
CREATE INDEX refused_attempt_by_caller ON refused_attempt (caller_id, last_at DESC, id DESC) WHERE caller_id IS NOT NULL;
CREATE INDEX refused_attempt_by_network ON refused_attempt (network, last_at DESC, id DESC) WHERE network IS NOT NULL;

ALTER TABLE refused_attempt ENABLE ROW LEVEL SECURITY;
ALTER TABLE refused_attempt FORCE ROW LEVEL SECURITY;
CREATE POLICY refused_attempt_read ON refused_attempt FOR SELECT USING ((SELECT app.sees_all()));
CREATE POLICY refused_attempt_add ON refused_attempt FOR INSERT WITH CHECK ((SELECT app.sees_all()));
CREATE POLICY refused_attempt_count ON refused_attempt FOR UPDATE USING ((SELECT app.sees_all()))
  WITH CHECK ((SELECT app.sees_all()));
-- Nothing that holds the application's login can remove a recent row.
CREATE POLICY refused_attempt_prune ON refused_attempt FOR DELETE
  USING ((SELECT app.sees_all()) AND last_at < now() - interval '180 days');
REVOKE ALL ON refused_attempt FROM copydesk_app;
GRANT SELECT, INSERT, DELETE ON refused_attempt TO copydesk_app;
GRANT UPDATE (last_at, count, caller_name, address, request_id) ON refused_attempt TO copydesk_app;
