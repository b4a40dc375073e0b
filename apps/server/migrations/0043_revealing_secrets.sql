-- Who looked at a secret last is shown beside it; the audit has all of it. A provider may leave looking to super admins.
ALTER TABLE provider ADD COLUMN reveal_super_only boolean NOT NULL DEFAULT false;
ALTER TABLE exchange_credential
  ADD COLUMN revealed_at timestamptz,
  ADD COLUMN revealed_by text,
  ADD COLUMN revealed_by_id text,
  ADD CHECK (num_nonnulls(revealed_at, revealed_by, revealed_by_id) IN (0, 3));
