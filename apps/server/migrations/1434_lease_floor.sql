-- The smallest number of a lease that is taken now: above all that an earlier leader of the database can have given, also
-- in commits that were lost with it. A worker that still holds one of those holds nothing here.
CREATE FUNCTION app.lease_floor() RETURNS bigint
  LANGUAGE sql VOLATILE PARALLEL SAFE SET search_path = public, pg_temp
RETURN ('x' || lpad(left(pg_walfile_name(pg_current_wal_lsn()), 8), 16, '0'))::bit(64)::bigint << 32;
GRANT EXECUTE ON FUNCTION app.lease_floor() TO copydesk_app;

-- compatible: one row for each invoicing run, and the version before reads it as text.
ALTER TABLE invoicing_run ALTER COLUMN version TYPE bigint;
