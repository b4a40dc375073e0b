-- Written by `npm run generate` from a migrated database. Do not edit.

-- People who asked for access on the sign-in page. Approved: a super admin has invited them.
CREATE TABLE identity.waitlist (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  email text NOT NULL,
  name text NOT NULL,
  note text,
  state text NOT NULL DEFAULT 'waiting',
  joined_at timestamptz NOT NULL,
  decided_at timestamptz,
  decided_by text,
  CONSTRAINT waitlist_decision
    CHECK ((state = 'waiting') = (decided_at IS NULL) AND (decided_at IS NULL) = (decided_by IS NULL)),
  CONSTRAINT waitlist_email_key UNIQUE (email),
  CONSTRAINT waitlist_name_check CHECK (name <> ''),
  CONSTRAINT waitlist_pkey PRIMARY KEY (id),
  CONSTRAINT waitlist_state_check CHECK (state = ANY (ARRAY['waiting', 'approved', 'declined']))
);

CREATE INDEX waitlist_waiting ON identity.waitlist (joined_at) WHERE state = 'waiting';
