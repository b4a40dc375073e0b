-- compatible: the table of the same name has the same rows, columns, keys, policies and rights.
ALTER TABLE equity_snapshot SET SCHEMA partition;
-- compatible: as above.
ALTER TABLE partition.equity_snapshot RENAME TO equity_snapshot_before;
-- compatible: as above; nobody reaches a partition but through its table.
DROP POLICY equity_snapshot_scope ON partition.equity_snapshot_before;
-- compatible: as above.
REVOKE ALL ON partition.equity_snapshot_before FROM copydesk_app, copydesk_worker;

CREATE TABLE equity_snapshot (
  LIKE partition.equity_snapshot_before INCLUDING COMMENTS,
  CONSTRAINT equity_snapshot_pkey PRIMARY KEY (trader_id, provider_id, day),
  CONSTRAINT equity_snapshot_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE CASCADE,
  CONSTRAINT equity_snapshot_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
) PARTITION BY RANGE (day);
COMMENT ON TABLE equity_snapshot IS
  'Equity at the end of a day (UTC) as each provider sees it. Figures of communities and providers are sums of these. By month.';
CREATE INDEX equity_snapshot_by_provider ON equity_snapshot (provider_id, day);
ALTER TABLE equity_snapshot ENABLE ROW LEVEL SECURITY;
ALTER TABLE equity_snapshot FORCE ROW LEVEL SECURITY;
CREATE POLICY equity_snapshot_scope ON equity_snapshot
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]));

DO $$
DECLARE
  until text := (SELECT substring(pg_get_constraintdef(oid) FROM $r$'([0-9-]+)'$r$) FROM pg_constraint
    WHERE conname = 'equity_snapshot_until');
BEGIN
  EXECUTE format('ALTER TABLE equity_snapshot ATTACH PARTITION partition.equity_snapshot_before
    FOR VALUES FROM (MINVALUE) TO (%L)', until);
END
$$;
ALTER TABLE partition.equity_snapshot_before DROP CONSTRAINT equity_snapshot_until;

CREATE OR REPLACE FUNCTION app.partitioned() RETURNS TABLE (name text, kept interval)
  LANGUAGE sql IMMUTABLE
BEGIN ATOMIC
  SELECT * FROM (VALUES ('equity_snapshot', interval '400 days')) t (name, kept);
END;
SELECT app.make_partitions();
