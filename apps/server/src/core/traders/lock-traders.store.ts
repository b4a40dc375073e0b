import { type RawBuilder, sql } from 'kysely';
import type { WriteTx } from '../../platform/db/database.ts';
import { traderInScope } from '../../platform/db/scope-filter.ts';

/**
 * Locks the traders in scope that match `chosen`, a condition over `trader t`, in the order of their ids. Every change of
 * invoices locks their traders first, as do the triggers that maintain the sums, and so does what inserts messages, which
 * locks the keys of their traders: another order could deadlock two changes.
 */
export async function lockTradersWhere(tx: WriteTx, chosen: RawBuilder<unknown>): Promise<void> {
  await sql`SELECT FROM trader t WHERE ${chosen} AND ${traderInScope(tx, 't.id')}
    ORDER BY t.id FOR NO KEY UPDATE`.execute(tx.sql);
}

/** The same by their ids. */
export const lockTraders = (tx: WriteTx, ids: readonly string[]): Promise<void> =>
  lockTradersWhere(tx, sql`t.id = ANY (${[...new Set(ids)]}::uuid[])`);
