import { sql } from 'kysely';
import type { AuditEntry } from '../audit/audit.ts';
import type { WriteTx } from './database.ts';

/**
 * Runs `work` in a savepoint. If it fails, its writes and audit entries are undone, the transaction goes on, and the
 * error is rethrown.
 */
export async function inSavepoint<T>(tx: WriteTx, work: (tx: WriteTx) => Promise<T>): Promise<T> {
  const entries: AuditEntry[] = [];
  await sql`SAVEPOINT work`.execute(tx.sql);
  try {
    const result = await work({ ...tx, audit: (entry) => entries.push(entry) });
    await sql`RELEASE SAVEPOINT work`.execute(tx.sql);
    for (const entry of entries) tx.audit(entry);
    return result;
  } catch (error) {
    await sql`ROLLBACK TO SAVEPOINT work`.execute(tx.sql);
    throw error;
  }
}
