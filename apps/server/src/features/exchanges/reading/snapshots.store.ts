import { sql } from 'kysely';
import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { deleteInBatches } from '../../../platform/db/delete-in-batches.ts';
import { detachPartitions } from '../../../platform/db/partitions.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';

const DAY_MS = 86_400_000;

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
 * Takes away the daily equity of traders from long ago, in whole months. The sums of communities have days of their own.
 * @param keptDays null: all are kept
 * @param keepsTables whether the months stay in the database, as tables of their own
 * @returns the months that were detached, and the number of rows deleted from the days before there were months
 */
export async function pruneSnapshots(
  { db, now }: { db: Database; now: () => Date },
  { keptDays, keepsTables }: { keptDays: number | null; keepsTables: boolean },
): Promise<{ months: string[]; rows: number }> {
  if (keptDays === null) return { months: [], rows: 0 };
  const before = new Date(now().getTime() - keptDays * DAY_MS);
  return {
    months: await detachPartitions(db, 'equity_snapshot', { before, keeps: keepsTables }),
    rows: await pruneUndivided(db, before),
  };
}

/** The first partition has all days of before the table was divided, and takes years to leave. */
function pruneUndivided(db: Database, before: Date): Promise<number> {
  return deleteInBatches((limit) =>
    db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
      const { numAffectedRows = 0n } = await sql`
        DELETE FROM equity_snapshot s USING (
          -- By provider: the index begins with it, and without it the last batch would read every day that is kept.
          SELECT old.* FROM app.partitions() m CROSS JOIN provider p CROSS JOIN LATERAL (
            SELECT d.trader_id, d.provider_id, d.day FROM equity_snapshot d
            WHERE d.provider_id = p.id AND d.day < least(app.utc_day(${before}::timestamptz), app.utc_day(m.until))
            LIMIT ${limit}) old
          WHERE m.parent = 'equity_snapshot' AND m.starts IS NULL
          LIMIT ${limit}) gone
        WHERE s.trader_id = gone.trader_id AND s.provider_id = gone.provider_id AND s.day = gone.day`.execute(
        tx.sql,
      );
      return Number(numAffectedRows);
    }),
  );
}
