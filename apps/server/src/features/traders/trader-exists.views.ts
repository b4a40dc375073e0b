import { sql } from 'kysely';
import type { AnyTx } from '../../platform/db/database.ts';
import { traderInScope } from '../../platform/db/scope-filter.ts';

/** Whether there is such a trader in scope. */
export async function traderExists(tx: AnyTx, id: string): Promise<boolean> {
  const { rows } =
    await sql`SELECT FROM trader t WHERE t.id = ${id} AND ${traderInScope(tx, 't.id')}`.execute(tx.sql);
  return rows.length > 0;
}
