import { sql } from 'kysely';
import { type Database, WHOLE_SCOPE } from '../../db/database.ts';
import { deleteInBatches } from '../../db/delete-in-batches.ts';

const SYSTEM = { kind: 'system', id: 'worker', name: 'worker' } as const;

/**
 * Deletes the change events of longer ago: a console that was away since then loads everything again.
 * @returns the number of deleted rows
 */
export function purgeChanges(db: Database, keptHours: number): Promise<number> {
  return deleteInBatches((limit) =>
    db.write(WHOLE_SCOPE, SYSTEM, async (tx) => {
      const { numAffectedRows = 0n } = await sql`
        DELETE FROM change_event WHERE ctid = ANY (ARRAY(
          SELECT c.ctid FROM change_event c WHERE c.at < now() - make_interval(hours => ${keptHours})
          LIMIT ${limit}))`.execute(tx.sql);
      return Number(numAffectedRows);
    }),
  );
}
