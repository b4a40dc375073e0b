import { sql } from 'kysely';
import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { deleteInBatches } from '../../../platform/db/delete-in-batches.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';

/**
 * Writes today's equity (UTC) of every trader, as each of its providers sees it. It runs every hour; the last values of
 * a day remain. Figures without a reading within the last day are excluded.
 */
export async function snapshotEquity(db: Database): Promise<void> {
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    await sql`
      INSERT INTO equity_snapshot AS s (trader_id, provider_id, day, equity)
      SELECT trader_id, provider_id, app.utc_day(now()), aum - pool_capital FROM trader_provider
      WHERE aum IS NOT NULL AND aum_read_at > now() - interval '1 day'
      ON CONFLICT (trader_id, provider_id, day) DO UPDATE SET equity = excluded.equity
      WHERE s.equity <> excluded.equity`.execute(tx.sql);
  });
}

/**
 * Deletes the daily equity of traders from long ago. The sums of communities have days of their own.
 * @param keptDays null: all are kept
 * @returns the number of deleted rows
 */
export async function pruneSnapshots(
  { db, now }: { db: Database; now: () => Date },
  keptDays: number | null,
): Promise<number> {
  if (keptDays === null) return 0;
  return deleteInBatches((limit) =>
    db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
      const { numAffectedRows = 0n } = await sql`
        DELETE FROM equity_snapshot WHERE ctid = ANY (ARRAY(
          -- By provider: the index begins with it, and without it the last batch would read every day that is kept.
          SELECT s.ctid FROM provider p CROSS JOIN LATERAL (
            SELECT d.ctid FROM equity_snapshot d WHERE d.provider_id = p.id
              AND d.day < app.utc_day(${now()}::timestamptz) - ${keptDays}::int LIMIT ${limit}) s
          LIMIT ${limit}))`.execute(tx.sql);
      return Number(numAffectedRows);
    }),
  );
}
