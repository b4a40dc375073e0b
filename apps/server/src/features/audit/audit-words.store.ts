import { sql } from 'kysely';
import { type Database, WHOLE_SCOPE } from '../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../platform/work/worker-actor.ts';

/** Entries of one transaction. With ten times as many, the first would become visible only with the last. */
const BATCH = 2_000;

/** Indexes the words of entries that the search does not know yet. @returns the number of entries */
export async function readAuditWords(db: Database): Promise<number> {
  let read = 0;
  for (;;) {
    const added = await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
      const { rows } = await sql<{ added: number }>`SELECT app.read_audit_words(${BATCH}) AS added`.execute(
        tx.sql,
      );
      return rows[0]?.added ?? 0;
    });
    read += added;
    if (added < BATCH) return read;
  }
}
