-- Written by `npm run generate` from a migrated database. Do not edit.

-- The file of an export: in order, its parts are one gzip stream.
CREATE TABLE export_part (
  export_id uuid NOT NULL,
  number integer NOT NULL,
  bytes bytea NOT NULL,
  CONSTRAINT export_part_export_id_fkey FOREIGN KEY (export_id) REFERENCES export(id) ON DELETE CASCADE,
  CONSTRAINT export_part_pkey PRIMARY KEY (export_id, number)
);

ALTER TABLE export_part ENABLE ROW LEVEL SECURITY;
ALTER TABLE export_part FORCE ROW LEVEL SECURITY;
CREATE POLICY export_part_scope ON export_part FOR ALL
  USING ((EXISTS (SELECT FROM export e WHERE e.id = export_part.export_id)));
