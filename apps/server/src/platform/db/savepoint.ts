import { sql } from 'kysely';
import type { AuditEntry } from '../audit/audit.ts';
import type { WriteTx } from './database.ts';

/**
 * Runs `work` within the transaction so that it can fail alone: its writes and its audit entries are undone, and the
 * transaction goes on. The error is passed on.
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
