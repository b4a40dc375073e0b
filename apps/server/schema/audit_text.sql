-- Written by `npm run generate` from a migrated database. Do not edit.

-- The words of an entry of the audit: who, what, the object with its name at the time, and the values before and
-- after. Made from the entries, by a job.
CREATE TABLE audit_text (
  seq bigint NOT NULL,
  words tsvector NOT NULL,
  -- Of its seal. NULL: it was read before there were seals.
  "position" bigint,
  CONSTRAINT audit_text_pkey PRIMARY KEY (seq)
);

CREATE INDEX audit_text_by_position ON audit_text ("position") WHERE "position" IS NOT NULL;
CREATE INDEX audit_text_words ON audit_text USING gin (words);

ALTER TABLE audit_text ENABLE ROW LEVEL SECURITY;
CREATE POLICY audit_text_scope ON audit_text FOR ALL
  USING ((SELECT app.sees_all()));
