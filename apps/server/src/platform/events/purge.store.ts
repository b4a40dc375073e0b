import { sql } from 'kysely';
import { type Database, WHOLE_SCOPE } from '../db/database.ts';

/** A console that was away for longer than this reloads everything anyway. */
const KEPT_HOURS = 24;
const SYSTEM = { kind: 'system', id: 'worker', name: 'worker' } as const;

/** Deletes the change events that no console can request any more. */
export async function purgeChanges(db: Database): Promise<void> {
  await db.write(WHOLE_SCOPE, SYSTEM, async (tx) => {
    await sql`DELETE FROM change_event WHERE at < now() - make_interval(hours => ${KEPT_HOURS})`.execute(
      tx.sql,
    );
  });
}
