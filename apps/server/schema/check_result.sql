-- Written by `npm run generate` from a migrated database. Do not edit.

-- The last result of each check that compares the books with themselves or with the chain. The log has the details.
CREATE TABLE check_result (
  name text NOT NULL,
  checked_at timestamptz NOT NULL DEFAULT now(),
  -- How much the check found; 0: everything matched.
  findings integer NOT NULL,
  CONSTRAINT check_result_findings_check CHECK (findings >= 0),
  CONSTRAINT check_result_name_check CHECK (name ~ '^[a-z_]+$'),
  CONSTRAINT check_result_pkey PRIMARY KEY (name)
);

ALTER TABLE check_result ENABLE ROW LEVEL SECURITY;
ALTER TABLE check_result FORCE ROW LEVEL SECURITY;
CREATE POLICY check_result_scope ON check_result FOR ALL
  USING ((SELECT app.sees_all()))
  WITH CHECK ((SELECT app.sees_all()));
