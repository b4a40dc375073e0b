-- Written by `npm run generate` from a migrated database. Do not edit.

-- The comparison of our people with those at the hosted identity service, in one row at most.
CREATE TABLE identity.hosted_comparison (
  is_only boolean NOT NULL DEFAULT true,
  began_at timestamptz NOT NULL,
  -- Users up to this id have been compared; empty: none yet. A comparison that was broken off goes on after it.
  after_hosted_id text NOT NULL,
  -- Null: it goes on.
  ended_at timestamptz,
  CONSTRAINT hosted_comparison_is_only_check CHECK (is_only),
  CONSTRAINT hosted_comparison_pkey PRIMARY KEY (is_only)
);
