import type pg from 'pg';
import { type Migration, readMigrations } from '../../apps/server/src/platform/db/installation/migrate.ts';

/**
 * Makes the table of daily equity as it was before it was divided by month, without its rows.
 * @param client the owner's, with full scope
 * @returns the migrations that divide it
 */
export async function undivideReadings(client: pg.Client): Promise<Migration[]> {
  await client.query(`
    CREATE TABLE undivided (LIKE equity_snapshot INCLUDING COMMENTS);
    DROP TABLE equity_snapshot;
    DROP SCHEMA partition CASCADE;
    DROP FUNCTION app.partitioned, app.partitions, app.make_partitions, app.detach_partition, app.analyze_partitioned;
    ALTER TABLE undivided RENAME TO equity_snapshot;
    ALTER TABLE equity_snapshot
      ADD CONSTRAINT equity_snapshot_pkey PRIMARY KEY (trader_id, provider_id, day),
      ADD FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE CASCADE,
      ADD FOREIGN KEY (provider_id) REFERENCES provider(id);
    CREATE INDEX equity_snapshot_by_provider ON equity_snapshot (provider_id, day);
    ALTER TABLE equity_snapshot ENABLE ROW LEVEL SECURITY;
    CREATE POLICY equity_snapshot_scope ON equity_snapshot USING (true)`);
  const names = /^(1439_partitions|1440_equity_until|1441_equity_until_valid|1442_equity_by_month)\.sql$/;
  return (await readMigrations()).filter(({ name }) => names.test(name));
}
