-- Written by `npm run generate` from a migrated database. Do not edit.

-- The chain of the audit: each position seals one entry, with a keyed hash over it and the position before. Of
-- entries from before there were seals, the last alone has one, with the hash of their chain, which this one
-- continues.
CREATE TABLE audit_seal (
  "position" bigint NOT NULL,
  -- The number of the entry.
  seq bigint NOT NULL,
  hash bytea NOT NULL,
  -- The key of own_hash: "worker" is that of the workers, which no API has; "api" is that of the chain. NULL: the
  -- seal of the chain before.
  keyed_by text,
  -- Keyed hash of the worker that sealed it, over the same.
  own_hash bytea,
  CONSTRAINT audit_seal_check CHECK ((keyed_by IS NULL) = (own_hash IS NULL)),
  CONSTRAINT audit_seal_keyed_by_check CHECK (keyed_by = ANY (ARRAY['api', 'worker'])),
  CONSTRAINT audit_seal_pkey PRIMARY KEY ("position"),
  CONSTRAINT audit_seal_seq_key UNIQUE (seq)
);

ALTER TABLE audit_seal ENABLE ROW LEVEL SECURITY;
CREATE POLICY audit_seal_reading ON audit_seal FOR SELECT
  USING ((SELECT app.sees_all()));

CREATE TRIGGER audit_seal_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_seal FOR EACH STATEMENT
  EXECUTE FUNCTION app.refuse_change();
