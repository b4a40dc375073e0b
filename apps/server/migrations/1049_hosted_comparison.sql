-- A webhook of the hosted identity service may be lost. Its people are compared with ours every six hours, a page at a
-- time; this is how far the comparison has come.
CREATE TABLE identity.hosted_comparison (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  began_at timestamptz NOT NULL,
  after_hosted_id text NOT NULL,
  ended_at timestamptz
);
COMMENT ON TABLE identity.hosted_comparison IS
  'The comparison of our people with those at the hosted identity service, in one row at most.';
COMMENT ON COLUMN identity.hosted_comparison.after_hosted_id IS
  'Users up to this id have been compared; empty: none yet. A comparison that was broken off goes on after it.';
COMMENT ON COLUMN identity.hosted_comparison.ended_at IS 'Null: it goes on.';

GRANT SELECT, INSERT, UPDATE ON identity.hosted_comparison TO copydesk_app;
