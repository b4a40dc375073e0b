import { sql } from 'kysely';
import type { AnyTx } from '../../platform/db/database.ts';
import { communityInScope } from '../../platform/db/scope-filter.ts';

/** Whether this community is in scope. */
export async function communityExists(tx: AnyTx, id: string): Promise<boolean> {
  const { rows } =
    await sql`SELECT FROM community c WHERE c.id = ${id} AND ${communityInScope(tx, 'c.id')}`.execute(tx.sql);
  return rows.length > 0;
}
