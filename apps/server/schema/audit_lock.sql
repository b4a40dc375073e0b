-- Written by `npm run generate` from a migrated database. Do not edit.

-- Writers of the audit chain take turns by locking this table. Everyone who can connect could hold an advisory lock;
-- a table lock takes a privilege that only the owner has. A row lock in its place would wake each waiter twice and
-- write to the log.
CREATE TABLE audit_lock (
  single boolean NOT NULL DEFAULT true,
  CONSTRAINT audit_lock_pkey PRIMARY KEY (single),
  CONSTRAINT audit_lock_single_check CHECK (single)
);

ALTER TABLE audit_lock ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_lock FORCE ROW LEVEL SECURITY;
CREATE POLICY audit_lock_scope ON audit_lock FOR ALL
  USING ((SELECT app.sees_all()));
