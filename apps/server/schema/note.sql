-- Written by `npm run generate` from a migrated database. Do not edit.

-- What people write about something for each other. It is no part of the audit.
CREATE TABLE note (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  subject_kind text NOT NULL,
  subject_id uuid NOT NULL,
  -- Whose staff reads it besides super admins. NULL: super admins alone.
  provider_id uuid,
  -- NULL: removed. That it was there stays.
  text text,
  author_id text NOT NULL,
  author text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  edited_at timestamptz,
  removed_at timestamptz,
  removed_by text,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT note_pkey PRIMARY KEY (id),
  CONSTRAINT note_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  CONSTRAINT note_removed
    CHECK ((text IS NULL) = (removed_at IS NOT NULL) AND (removed_at IS NULL) = (removed_by IS NULL)),
  CONSTRAINT note_subject_kind_check CHECK (subject_kind = ANY (ARRAY['trader', 'invoice', 'payout', 'pool'])),
  CONSTRAINT note_text_check CHECK (length(text) >= 1 AND length(text) <= 2000)
);

CREATE INDEX note_by_provider ON note (provider_id);
CREATE INDEX note_of_subject ON note (subject_kind, subject_id, created_at DESC, id);

ALTER TABLE note ENABLE ROW LEVEL SECURITY;
ALTER TABLE note FORCE ROW LEVEL SECURITY;
CREATE POLICY note_scope ON note FOR ALL
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[])));
