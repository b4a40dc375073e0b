-- What people write about a trader, an invoice, a payout or a pool, for each other.

CREATE TABLE note (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  subject_kind text NOT NULL CHECK (subject_kind IN ('trader', 'invoice', 'payout', 'pool')),
  subject_id uuid NOT NULL,
  provider_id uuid REFERENCES provider,
  text text CHECK (length(text) BETWEEN 1 AND 2000),
  author_id text NOT NULL,
  author text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  edited_at timestamptz,
  removed_at timestamptz,
  removed_by text,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT note_removed CHECK ((text IS NULL) = (removed_at IS NOT NULL)
    AND (removed_at IS NULL) = (removed_by IS NULL))
);
COMMENT ON TABLE note IS 'What people write about something for each other. It is no part of the audit.';
COMMENT ON COLUMN note.provider_id IS 'Whose staff reads it besides super admins. NULL: super admins alone.';
COMMENT ON COLUMN note.text IS 'NULL: removed. That it was there stays.';
CREATE INDEX note_of_subject ON note (subject_kind, subject_id, created_at DESC, id);
CREATE INDEX note_by_provider ON note (provider_id);

CREATE TABLE note_mention (
  note_id uuid NOT NULL REFERENCES note,
  person_id text NOT NULL,
  done_at timestamptz,
  PRIMARY KEY (note_id, person_id)
);
COMMENT ON TABLE note_mention IS 'Who is asked to look at a note.';
COMMENT ON COLUMN note_mention.done_at IS 'When that person had seen it. NULL: it waits for it.';
CREATE INDEX note_mention_open ON note_mention (person_id) WHERE done_at IS NULL;

ALTER TABLE note ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY note_scope ON note FOR ALL
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[])));
ALTER TABLE note_mention ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY note_mention_scope ON note_mention FOR ALL
  USING ((SELECT app.sees_all()) OR EXISTS (SELECT FROM note n WHERE n.id = note_id));
-- compatible: the tables are new
REVOKE UPDATE, DELETE ON note FROM copydesk_app;
GRANT UPDATE (text, edited_at, removed_at, removed_by, version) ON note TO copydesk_app;
-- compatible: as above
REVOKE UPDATE ON note_mention FROM copydesk_app;
GRANT UPDATE (done_at) ON note_mention TO copydesk_app;
