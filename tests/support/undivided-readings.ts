import type pg from 'pg';

/** Makes the table of daily equity as it would be without partitions, and without its rows, for `DIVIDING`. */
export const undivideReadings = (client: pg.Client) =>
  client.query(`
    CREATE TABLE undivided (LIKE equity_snapshot INCLUDING COMMENTS);
    DROP TABLE equity_snapshot;
    ALTER TABLE undivided RENAME TO equity_snapshot;
    ALTER TABLE equity_snapshot
      ADD CONSTRAINT equity_snapshot_pkey PRIMARY KEY (trader_id, provider_id, day),
      ADD FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE CASCADE,
      ADD FOREIGN KEY (provider_id) REFERENCES provider(id);
    CREATE INDEX equity_snapshot_by_provider ON equity_snapshot (provider_id, day);
    ALTER TABLE equity_snapshot ENABLE ROW LEVEL SECURITY;
    CREATE POLICY equity_snapshot_scope ON equity_snapshot USING (true)`);

/**
 * How a table with rows is divided by month while programs read and write it (docs/decisions, record 130): the texts of
 * three migrations. No row is written again; the one statement that reads the table waits for no one.
 */
export const DIVIDING = [
  `DO $$
  BEGIN
    EXECUTE format('ALTER TABLE equity_snapshot ADD CONSTRAINT equity_snapshot_until CHECK (day < %L) NOT VALID',
      (date_trunc('month', now() AT TIME ZONE 'UTC') + interval '2 months')::date);
  END
  $$`,
  'ALTER TABLE equity_snapshot VALIDATE CONSTRAINT equity_snapshot_until',
  `ALTER TABLE equity_snapshot SET SCHEMA partition;
  ALTER TABLE partition.equity_snapshot RENAME TO equity_snapshot_before;
  DROP POLICY equity_snapshot_scope ON partition.equity_snapshot_before;
  REVOKE ALL ON partition.equity_snapshot_before FROM copydesk_app, copydesk_worker;
  CREATE TABLE equity_snapshot (
    LIKE partition.equity_snapshot_before INCLUDING COMMENTS,
    CONSTRAINT equity_snapshot_pkey PRIMARY KEY (trader_id, provider_id, day),
    CONSTRAINT equity_snapshot_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE CASCADE,
    CONSTRAINT equity_snapshot_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
  ) PARTITION BY RANGE (day);
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
  SELECT app.make_partitions()`,
];
