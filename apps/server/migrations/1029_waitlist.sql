-- People who ask for access.
CREATE TABLE identity.waitlist (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  email text NOT NULL UNIQUE,
  name text NOT NULL CHECK (name <> ''),
  note text,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'approved', 'declined')),
  joined_at timestamptz NOT NULL,
  decided_at timestamptz,
  decided_by text,
  CONSTRAINT waitlist_decision CHECK ((state = 'waiting') = (decided_at IS NULL) AND (decided_at IS NULL) = (decided_by IS NULL))
);
COMMENT ON TABLE identity.waitlist IS
  'People who asked for access on the sign-in page. Approved: a super admin has invited them.';
CREATE INDEX waitlist_waiting ON identity.waitlist (joined_at) WHERE state = 'waiting';
GRANT SELECT, INSERT, UPDATE ON identity.waitlist TO copydesk_app;
