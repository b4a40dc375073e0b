-- Written by `npm run generate` from a migrated database. Do not edit.

-- Answers of calls with an Idempotency-Key. A row is written in the transaction of its effect, so a crash leaves no
-- state in between. An advisory lock marks a call that is still running. An answer belongs to its caller, whatever
-- the scope of the caller: the policy compares the caller, and the purge job sees all rows.
CREATE TABLE idempotent_call (
  caller text NOT NULL,
  route text NOT NULL,
  key text NOT NULL,
  request_hash bytea NOT NULL,
  status smallint NOT NULL,
  body text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  CONSTRAINT idempotent_call_caller_check CHECK (caller <> ''),
  CONSTRAINT idempotent_call_key_check CHECK (length(key) >= 1 AND length(key) <= 200),
  CONSTRAINT idempotent_call_pkey PRIMARY KEY (caller, route, key),
  CONSTRAINT idempotent_call_request_hash_check CHECK (length(request_hash) = 32),
  CONSTRAINT idempotent_call_status_check CHECK (status >= 200 AND status <= 499)
);

CREATE INDEX idempotent_call_by_expiry ON idempotent_call (expires_at);

ALTER TABLE idempotent_call ENABLE ROW LEVEL SECURITY;
ALTER TABLE idempotent_call FORCE ROW LEVEL SECURITY;
CREATE POLICY idempotent_call_scope ON idempotent_call FOR ALL
  USING ((SELECT app.sees_all()) OR caller = ((SELECT app.caller())));
