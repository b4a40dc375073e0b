import { sql } from 'kysely';
import { type Database, WHOLE_SCOPE } from '../../platform/db/database.ts';
import { deleteInBatches } from '../../platform/db/delete-in-batches.ts';
import { WORKER_ACTOR } from '../../platform/work/worker-actor.ts';

/**
 * Deletes messages that were sent long ago. A message about an invoice that may be reminded of stays: its row is what
 * keeps it from being sent again.
 * @param keptDays null: all are kept
 * @returns the number of deleted rows
 */
export async function pruneMessages(
  { db, now }: { db: Database; now: () => Date },
  keptDays: number | null,
): Promise<number> {
  if (keptDays === null) return 0;
  return deleteInBatches((limit) =>
    db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
      const { numAffectedRows = 0n } = await sql`
        DELETE FROM message WHERE id IN (
          SELECT m.id FROM message m
          WHERE m.state = 'sent' AND m.created_at < ${now()}::timestamptz - make_interval(days => ${keptDays})
            AND NOT EXISTS (SELECT FROM invoice i WHERE i.id = m.invoice_id AND i.status = 'pending')
          ORDER BY m.created_at LIMIT ${limit})`.execute(tx.sql);
      return Number(numAffectedRows);
    }),
  );
}
