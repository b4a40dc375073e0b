import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { readPoolBalances } from '../harvest/pool-balances.views.ts';

/** Members whose part or fee of this cycle is not booked yet. */
export async function countUncharged(tx: Tx, cycleId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM harvest_allocation a WHERE a.cycle_id = ${cycleId} AND a.booked_at IS NULL`.execute(
    tx.sql,
  );
  return rows[0]?.count ?? 0;
}

/**
 * Whether a valued pool may open: the virtual balances equal what the pool holds less what it owes, and nothing is left
 * at the exchange, on its way or in what returned.
 */
export async function areBooksBalanced(tx: Tx, poolId: string): Promise<boolean> {
  const books = (await readPoolBalances(tx, [poolId]))(poolId);
  const { rows } = await sql<{ capital: string }>`
    SELECT s.capital_units::text AS capital FROM pool_sum s WHERE s.pooled_account_id = ${poolId}`.execute(
    tx.sql,
  );
  const held = books.pool_proxy + books.pool_transit + books.pool_exchange + books.pool_shortfall;
  const owed = books.pool_returned + books.pool_fees_due + books.pool_unexplained;
  const isValued = books.pool_transit + books.pool_exchange + books.pool_returned === 0n;
  return isValued && BigInt(rows[0]?.capital ?? 0) === held - owed;
}
