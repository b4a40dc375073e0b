-- Large tables are divided by time. Their partitions are in a schema of their own, in which nobody but the owner has
-- rights: rows are read and written through the table, and its policies.
CREATE SCHEMA partition;

-- Which tables are divided by month. `kept`: how old everything in a partition is, at the least, before it may be detached;
-- NULL: it stays for ever.
CREATE FUNCTION app.partitioned() RETURNS TABLE (name text, kept interval)
  LANGUAGE sql IMMUTABLE
BEGIN ATOMIC
  SELECT * FROM (VALUES ('equity_snapshot', interval '400 days')) t (name, kept);
END;
GRANT EXECUTE ON FUNCTION app.partitioned() TO copydesk_app;

-- What there is of them. The first of a table has no beginning, if the table was divided with rows in it.
CREATE FUNCTION app.partitions() RETURNS TABLE (parent text, name text, starts timestamptz, until timestamptz)
  LANGUAGE sql STABLE SET search_path = public, pg_temp SET timezone = 'UTC' AS $$
  SELECT t.name, c.relname::text, substring(b.bounds FROM $r$FROM \('([^']+)'\)$r$)::timestamptz,
    substring(b.bounds FROM $r$TO \('([^']+)'\)$r$)::timestamptz
  FROM app.partitioned() t
  JOIN pg_inherits i ON i.inhparent = to_regclass('public.' || quote_ident(t.name))
  JOIN pg_class c ON c.oid = i.inhrelid
  CROSS JOIN LATERAL (SELECT pg_get_expr(c.relpartbound, c.oid) AS bounds) b
$$;
GRANT EXECUTE ON FUNCTION app.partitions() TO copydesk_app;

-- Makes the partitions up to three months after this one that are missing, and returns how many. None takes what is
-- beyond: rows would have to leave it again. A table is attached rather than made as a partition, since that stops neither
-- readers nor writers of the parent.
CREATE FUNCTION app.make_partitions() RETURNS int
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET timezone = 'UTC' SET lock_timeout = '500ms' AS $$
DECLARE
  parent text;
  starts date;
  made int := 0;
  partition text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('copydesk.partitions'));
  FOR parent, starts IN
    SELECT p.parent, max(p.until)::date FROM app.partitions() p GROUP BY 1 ORDER BY 1
  LOOP
    WHILE starts <= date_trunc('month', now()) + interval '3 months' LOOP
      partition := parent || to_char(starts, '_YYYY_MM');
      EXECUTE format('CREATE TABLE partition.%I (LIKE public.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)',
        partition, parent);
      EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION partition.%I FOR VALUES FROM (%L) TO (%L)',
        parent, partition, starts, (starts + interval '1 month')::date);
      starts := starts + interval '1 month';
      made := made + 1;
    END LOOP;
  END LOOP;
  RETURN made;
END
$$;
GRANT EXECUTE ON FUNCTION app.make_partitions() TO copydesk_worker;

-- Detaches the oldest partition of a table if all of it is older than that and than what may leave. NULL: there is none.
-- Not concurrently, which no function can: the owner of a table alone may, and no program that runs all the time is it.
-- Nothing is read or written meanwhile, and who waits for the lock waits half a second at the most.
CREATE FUNCTION app.detach_partition(of_table text, before timestamptz, keeps boolean) RETURNS text
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '500ms' AS $$
DECLARE
  found text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('copydesk.partitions'));
  SELECT p.name INTO found FROM app.partitions() p JOIN app.partitioned() t ON t.name = p.parent
  WHERE p.parent = of_table AND p.until <= before AND p.until <= now() - t.kept ORDER BY p.until LIMIT 1;
  IF found IS NOT NULL THEN
    EXECUTE format('ALTER TABLE public.%I DETACH PARTITION partition.%I', of_table, found);
    IF NOT keeps THEN
      EXECUTE format('DROP TABLE partition.%I', found);
    END IF;
  END IF;
  RETURN found;
END
$$;
GRANT EXECUTE ON FUNCTION app.detach_partition(text, timestamptz, boolean) TO copydesk_worker;

-- Estimates over a divided table come from its own statistics, which autovacuum does not keep for it.
CREATE FUNCTION app.analyze_partitioned() RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  t record;
BEGIN
  FOR t IN SELECT p.name FROM app.partitioned() p LOOP
    EXECUTE format('ANALYZE public.%I', t.name);
  END LOOP;
END
$$;
GRANT EXECUTE ON FUNCTION app.analyze_partitioned() TO copydesk_worker;

-- The first partition has no beginning, and takes the days of this month and the next.
DO $$
BEGIN
  EXECUTE format('CREATE TABLE partition.equity_snapshot_before PARTITION OF equity_snapshot FOR VALUES FROM (MINVALUE) TO (%L)',
    (date_trunc('month', now() AT TIME ZONE 'UTC') + interval '2 months')::date);
END
$$;
REVOKE ALL ON partition.equity_snapshot_before FROM copydesk_app, copydesk_worker;
SELECT app.make_partitions();
