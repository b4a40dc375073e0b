import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { WORKER_ACTOR } from '../work/worker-actor.ts';
import { type Database, WHOLE_SCOPE } from './database.ts';

/** lock_not_available: someone read the table for longer than a writer would have waited behind us. */
const LOCKED = '55P03';
const TRIES = 5;
const PAUSE_MS = 5_000;

/** Makes the months ahead of tables that are divided by month, and brings their statistics up to date. */
export async function keepPartitions(db: Database): Promise<void> {
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => sql`SELECT app.make_partitions()`.execute(tx.sql));
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => sql`SELECT app.analyze_partitioned()`.execute(tx.sql));
}

/**
 * Detaches the months of a table that ended before a time. The database keeps those that are younger than the table may
 * lose, whatever the time.
 * @param options.keeps whether they stay as tables of the schema `partition`; else they are dropped
 * @returns their names
 * @throws the error of the database when readers of the table held a lock on it in each of several tries
 */
export async function detachPartitions(
  db: Database,
  table: string,
  { before, keeps, pauseMs = PAUSE_MS }: { before: Date; keeps: boolean; pauseMs?: number },
): Promise<string[]> {
  const detached: string[] = [];
  for (let tries = 1; ; ) {
    try {
      const name = await detachOldest(db, table, before, keeps);
      if (name === null) return detached;
      detached.push(name);
      tries = 1;
    } catch (error) {
      if (tries++ === TRIES || (error as { code?: string }).code !== LOCKED) throw error;
      await sleep(pauseMs);
    }
  }
}

/** One a transaction: the lock on the table is held until it ends. */
async function detachOldest(
  db: Database,
  table: string,
  before: Date,
  keeps: boolean,
): Promise<string | null> {
  return db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    const { rows } = await sql<{ name: string | null }>`
      SELECT app.detach_partition(${table}, ${before}::timestamptz, ${keeps}::boolean) AS name`.execute(
      tx.sql,
    );
    return rows[0]?.name ?? null;
  });
}
