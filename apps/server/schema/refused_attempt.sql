-- Written by `npm run generate` from a migrated database. Do not edit.

-- Attempts that were refused, one row for an hour, code, call, caller and network. Kept for 180 days.
CREATE TABLE refused_attempt (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  hour timestamptz NOT NULL,
  kind text NOT NULL,
  code text NOT NULL,
  -- Method and path of the contract, never the URL. NULL: several calls and networks, beyond what one hour lists.
  call text,
  caller_kind text,
  -- NULL: unknown. Of a sign-in, the account only if the e-mail address has one: people type passwords into that
  -- field.
  caller_id text,
  caller_name text,
  -- The address, or the first half of an IPv6 address.
  network text,
  -- The address of the last attempt.
  address text,
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  count bigint NOT NULL,
  request_id text,
  CONSTRAINT refused_attempt_caller
    CHECK ((caller_kind IS NULL) = (caller_id IS NULL) AND (caller_id IS NULL) = (caller_name IS NULL)),
  CONSTRAINT refused_attempt_caller_kind_check CHECK (caller_kind = ANY (ARRAY['user', 'service'])),
  CONSTRAINT refused_attempt_count_check CHECK (count > 0),
  CONSTRAINT refused_attempt_key UNIQUE NULLS NOT DISTINCT (hour, code, call, caller_kind, caller_id, network),
  CONSTRAINT refused_attempt_kind_check
    CHECK (kind = ANY (ARRAY['access', 'authentication', 'reauthentication', 'four_eyes', 'rate'])),
  CONSTRAINT refused_attempt_pkey PRIMARY KEY (id),
  CONSTRAINT refused_attempt_rest
    CHECK ((call IS NULL) = (network IS NULL) AND (network IS NULL) = (address IS NULL)),
  CONSTRAINT refused_attempt_times CHECK (hour <= first_at AND first_at <= last_at)
);

CREATE INDEX refused_attempt_by_caller ON refused_attempt (caller_id, last_at DESC, id DESC)
  WHERE caller_id IS NOT NULL;
CREATE INDEX refused_attempt_by_code ON refused_attempt (code, last_at DESC, id DESC);
CREATE INDEX refused_attempt_by_kind ON refused_attempt (kind, last_at DESC, id DESC);
CREATE INDEX refused_attempt_by_network ON refused_attempt (network, last_at DESC, id DESC)
  WHERE network IS NOT NULL;
CREATE INDEX refused_attempt_by_time ON refused_attempt (last_at DESC, id DESC);
CREATE INDEX refused_attempt_unlisted ON refused_attempt (last_at DESC) WHERE call IS NULL;

ALTER TABLE refused_attempt ENABLE ROW LEVEL SECURITY;
ALTER TABLE refused_attempt FORCE ROW LEVEL SECURITY;
CREATE POLICY refused_attempt_add ON refused_attempt FOR INSERT
  WITH CHECK ((SELECT app.sees_all()));
CREATE POLICY refused_attempt_count ON refused_attempt FOR UPDATE
  USING ((SELECT app.sees_all()))
  WITH CHECK ((SELECT app.sees_all()));
CREATE POLICY refused_attempt_prune ON refused_attempt FOR DELETE
  USING ((SELECT app.sees_all()) AND last_at < (now() - '180 days'::interval));
CREATE POLICY refused_attempt_read ON refused_attempt FOR SELECT
  USING ((SELECT app.sees_all()));
