import { sql } from 'kysely';
import type { WriteTx } from '../../platform/db/database.ts';

// The one lock order for every change of payouts: a wallet, communities by id, transfers by id, payouts. FOR NO KEY
// UPDATE, so the community's payments can still be booked.

/** Locks communities in the order of their ids until the transaction ends. */
export async function lockCommunities(tx: WriteTx, communityIds: readonly string[]): Promise<void> {
  await sql`SELECT FROM community WHERE id = ANY (${[...new Set(communityIds)]}::uuid[])
    ORDER BY id FOR NO KEY UPDATE`.execute(tx.sql);
}

/**
 * The same without waiting, for work that can be done later.
 * @returns whether all of them are locked
 */
export async function tryLockCommunities(tx: WriteTx, communityIds: readonly string[]): Promise<boolean> {
  const ids = [...new Set(communityIds)];
  const { rows } = await sql`SELECT FROM community WHERE id = ANY (${ids}::uuid[])
    ORDER BY id FOR NO KEY UPDATE SKIP LOCKED`.execute(tx.sql);
  return rows.length === ids.length;
}
