-- Written by `npm run generate` from a migrated database. Do not edit.

-- Entries of the audit that a worker has yet to seal. One that is named here and is gone was removed.
CREATE TABLE audit_unsealed (
  seq bigint NOT NULL,
  -- That wrote it, for those who ask whether what they see is sealed.
  transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
  written_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT audit_unsealed_pkey PRIMARY KEY (seq)
) WITH (autovacuum_vacuum_threshold=1000, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_cost_delay=0);

ALTER TABLE audit_unsealed ENABLE ROW LEVEL SECURITY;
CREATE POLICY audit_unsealed_reading ON audit_unsealed FOR SELECT
  USING ((SELECT app.sees_all()));
