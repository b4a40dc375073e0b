-- Written by `npm run generate` from a migrated database. Do not edit.

-- Who is asked to look at a note.
CREATE TABLE note_mention (
  note_id uuid NOT NULL,
  person_id text NOT NULL,
  -- When that person had seen it. NULL: it waits for it.
  done_at timestamptz,
  CONSTRAINT note_mention_note_id_fkey FOREIGN KEY (note_id) REFERENCES note(id),
  CONSTRAINT note_mention_pkey PRIMARY KEY (note_id, person_id)
);

CREATE INDEX note_mention_open ON note_mention (person_id) WHERE done_at IS NULL;

ALTER TABLE note_mention ENABLE ROW LEVEL SECURITY;
ALTER TABLE note_mention FORCE ROW LEVEL SECURITY;
CREATE POLICY note_mention_scope ON note_mention FOR ALL
  USING ((SELECT app.sees_all()) OR (EXISTS (SELECT FROM note n WHERE n.id = note_mention.note_id)));
