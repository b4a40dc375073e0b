-- Where invoices and exchanges differ, a super admin decides; what was decided is listed no more, until it changes.
CREATE TABLE difference_decision (
  kind text NOT NULL CHECK (kind IN ('corrected_close', 'doubled_close', 'unread_closes')),
  subject_id uuid NOT NULL,
  seen text NOT NULL,
  decided_by text NOT NULL,
  decided_by_id text NOT NULL,
  decided_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (kind, subject_id, seen)
);
COMMENT ON TABLE difference_decision IS
  'Differences between invoices and exchanges that a super admin has seen and left as they are.';
COMMENT ON COLUMN difference_decision.seen IS 'What differed then: the profit reported, or the end of the time.';
ALTER TABLE difference_decision ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY difference_decision_scope ON difference_decision FOR ALL USING ((SELECT app.sees_all()));
-- compatible: the table is new
REVOKE UPDATE, DELETE ON difference_decision FROM copydesk_app;
