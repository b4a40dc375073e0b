-- The smallest number of a lease that is taken now: above all that an earlier leader of the database can have given, also
-- in commits that were lost with it. A worker that still holds one of those holds nothing here. Services that do not tell
-- of their log lose no commit either.
CREATE FUNCTION app.lease_floor() RETURNS bigint
  LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  RETURN ('x' || lpad(left(pg_walfile_name(pg_current_wal_lsn()), 8), 16, '0'))::bit(64)::bigint << 32;
EXCEPTION WHEN feature_not_supported OR object_not_in_prerequisite_state OR insufficient_privilege THEN
  RETURN 0;
END
$$;
GRANT EXECUTE ON FUNCTION app.lease_floor() TO copydesk_app;

-- Seconds since the archive of the log last took a segment, while it takes none; 0: it does; NULL: there is none, or the
-- service does not tell.
CREATE FUNCTION app.archive_failing() RETURNS float8
  LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  RETURN (SELECT CASE WHEN a.last_failed_time > coalesce(a.last_archived_time, '-infinity')
      THEN extract(epoch FROM now() - coalesce(a.last_archived_time, a.stats_reset)) ELSE 0 END
    FROM pg_stat_archiver a WHERE current_setting('archive_mode') <> 'off');
EXCEPTION WHEN feature_not_supported OR object_not_in_prerequisite_state OR insufficient_privilege THEN
  RETURN NULL;
END
$$;
GRANT EXECUTE ON FUNCTION app.archive_failing() TO copydesk_app;

-- compatible: one row for each invoicing run, and the version before reads it as text.
ALTER TABLE invoicing_run ALTER COLUMN version TYPE bigint;
