-- Written by `npm run generate` from a migrated database. Do not edit.

-- Differences between invoices and exchanges that a super admin has seen and left as they are.
CREATE TABLE difference_decision (
  kind text NOT NULL,
  subject_id uuid NOT NULL,
  -- What differed then: the profit reported, or the end of the time.
  seen text NOT NULL,
  decided_by text NOT NULL,
  decided_by_id text NOT NULL,
  decided_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT difference_decision_kind_check
    CHECK (kind = ANY (ARRAY['corrected_close', 'doubled_close', 'unread_closes'])),
  CONSTRAINT difference_decision_pkey PRIMARY KEY (kind, subject_id, seen)
);

ALTER TABLE difference_decision ENABLE ROW LEVEL SECURITY;
ALTER TABLE difference_decision FORCE ROW LEVEL SECURITY;
CREATE POLICY difference_decision_scope ON difference_decision FOR ALL
  USING ((SELECT app.sees_all()));

CREATE TRIGGER difference_decided AFTER INSERT ON difference_decision FOR EACH ROW
  EXECUTE FUNCTION app.difference_decided();
