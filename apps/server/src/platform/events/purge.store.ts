import { sql } from 'kysely';
import { type Database, WHOLE_SCOPE } from '../db/database.ts';

const SYSTEM = { kind: 'system', id: 'worker', name: 'worker' } as const;

/** Deletes the change events of longer ago: a console that was away since then loads everything again. */
export async function purgeChanges(db: Database, keptHours: number): Promise<void> {
  await db.write(WHOLE_SCOPE, SYSTEM, async (tx) => {
    await sql`DELETE FROM change_event WHERE at < now() - make_interval(hours => ${keptHours})`.execute(
      tx.sql,
    );
  });
}
