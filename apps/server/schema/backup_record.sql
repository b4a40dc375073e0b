-- Written by `npm run generate` from a migrated database. Do not edit.

-- Backups of this database, as the backup command recorded them.
CREATE TABLE backup_record (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  -- How it was made, as in dump.
  kind text NOT NULL,
  -- It has everything that was committed until then.
  taken_at timestamptz NOT NULL DEFAULT now(),
  -- NULL: under way, or it failed.
  finished_at timestamptz,
  bytes bigint,
  -- Where it lies, without a password.
  location text,
  -- When it was last restored and checked. NULL: never.
  verified_at timestamptz,
  -- Whether only a private key that is kept elsewhere opens it. NULL: nothing says so, and it is plain.
  is_encrypted boolean,
  CONSTRAINT backup_record_bytes_check CHECK (bytes >= 0),
  CONSTRAINT backup_record_kind_check CHECK (kind ~ '^[a-z_]+$'),
  CONSTRAINT backup_record_location_check CHECK (location <> ''),
  CONSTRAINT backup_record_pkey PRIMARY KEY (id),
  CONSTRAINT backup_record_times CHECK (finished_at >= taken_at AND verified_at >= finished_at),
  CONSTRAINT backup_record_verified CHECK (verified_at IS NULL OR finished_at IS NOT NULL)
);

CREATE INDEX backup_record_finished ON backup_record (kind, taken_at DESC) WHERE finished_at IS NOT NULL;
CREATE INDEX backup_record_verified ON backup_record (kind, taken_at DESC) WHERE verified_at IS NOT NULL;

ALTER TABLE backup_record ENABLE ROW LEVEL SECURITY;
ALTER TABLE backup_record FORCE ROW LEVEL SECURITY;
CREATE POLICY backup_record_scope ON backup_record FOR ALL
  USING ((SELECT app.sees_all()))
  WITH CHECK ((SELECT app.sees_all()));
