ALTER TABLE transfer_gate ADD COLUMN standby_forgotten_until timestamptz;
COMMENT ON COLUMN transfer_gate.standby_forgotten_until IS
  'An operator said that there is no standby: until then, transfers are sent that no standby has stored.';

-- One row: what the database says of its standbys. Its owner must be a member of pg_read_all_stats; others see no
-- positions. `confirmed` is what as many standbys have on disk as a commit waits for. Services with a log of their own
-- (Aurora) refuse to tell of it: positions are NULL there.
CREATE FUNCTION app.replication(OUT timeline text, OUT flushed pg_lsn, OUT confirmed pg_lsn, OUT names text,
  OUT wanted int, OUT connected int, OUT is_hidden boolean)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  positions pg_lsn[];
BEGIN
  names := trim(current_setting('synchronous_standby_names'));
  wanted := coalesce(substring(names FROM '^(?:[A-Za-z]+\s*)?(\d+)\s*\(')::int, 1);
  connected := 0;
  is_hidden := false;
  IF NOT pg_is_in_recovery() THEN
    flushed := pg_current_wal_flush_lsn();
    timeline := left(pg_walfile_name(flushed), 8);
  END IF;
  SELECT array_agg(r.flush_lsn ORDER BY r.flush_lsn DESC NULLS LAST) FILTER (WHERE r.sync_state IN ('sync', 'quorum')),
    bool_or(r.sync_state IS NULL)
  INTO positions, is_hidden FROM pg_stat_replication r;
  is_hidden := coalesce(is_hidden, false);
  connected := coalesce(cardinality(positions), 0);
  confirmed := positions[wanted];
EXCEPTION WHEN feature_not_supported OR object_not_in_prerequisite_state OR insufficient_privilege THEN
  NULL;
END
$$;
GRANT EXECUTE ON FUNCTION app.replication() TO copydesk_app;

-- For an operator on the machine of a worker, where the standby is gone and payouts cannot wait for another.
CREATE FUNCTION app.forget_standby() RETURNS timestamptz
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp
BEGIN ATOMIC
  UPDATE transfer_gate SET standby_forgotten_until = clock_timestamp() + interval '1 hour'
  RETURNING standby_forgotten_until;
END;
GRANT EXECUTE ON FUNCTION app.forget_standby() TO copydesk_operator;

-- compatible: the next statement allows what it allowed, and one reason more.
ALTER TABLE transfer_heartbeat DROP CONSTRAINT transfer_heartbeat_halted_because_check;
ALTER TABLE transfer_heartbeat ADD CONSTRAINT transfer_heartbeat_halted_because_check CHECK (
  halted_because IN ('chain_silent', 'fees_too_high', 'turn_failed', 'sends_refused', 'no_standby')) NOT VALID;
