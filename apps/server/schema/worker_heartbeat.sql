-- Written by `npm run generate` from a migrated database. Do not edit.

-- Live workers: each updates its row every few seconds.
CREATE TABLE worker_heartbeat (
  worker_id uuid NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now(),
  -- NULL: the last comparison of the audit chain with the heads stored outside found no problem.
  audit_problem text,
  -- The last head of the audit chain that the worker noted outside of the database.
  noted_sequence bigint,
  noted_at timestamptz,
  -- When the worker stopped in order; its row stays an hour, so that a restart is no alarm. NULL: it runs, or
  -- crashed.
  ended_at timestamptz,
  -- Whether it has AUDIT_WORKER_KEY.
  has_audit_key boolean NOT NULL DEFAULT false,
  -- User and machine, as in 998@host: an API with the same could read and change the worker. NULL: below npm start.
  runs_as text,
  -- Which other user could change its programs or compile cache. NULL: none.
  program_problem text,
  -- The public keys of its POOL_KEYS_IDENTITY. Empty: it has none, or is of a version that did not note them.
  pool_keys_recipients text[] NOT NULL DEFAULT '{}'[],
  CONSTRAINT worker_heartbeat_pkey PRIMARY KEY (worker_id)
);
