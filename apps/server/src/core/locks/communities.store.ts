import { sql } from 'kysely';
import type { WriteTx } from '../../platform/db/database.ts';

// The one lock order of whatever changes payouts, as far as it locks: a wallet, communities by id, transfers by id,
// payouts. FOR NO KEY UPDATE: booking payments of the community goes on meanwhile.

/** Locks communities in the order of their ids until the transaction ends. */
export async function lockCommunities(tx: WriteTx, communityIds: readonly string[]): Promise<void> {
  await sql`SELECT FROM community WHERE id = ANY (${[...new Set(communityIds)]}::uuid[])
    ORDER BY id FOR NO KEY UPDATE`.execute(tx.sql);
}

/**
 * The same without waiting, for work that can be taken up later as well.
 * @returns whether all of them are locked
 */
export async function tryLockCommunities(tx: WriteTx, communityIds: readonly string[]): Promise<boolean> {
  const ids = [...new Set(communityIds)];
  const { rows } = await sql`SELECT FROM community WHERE id = ANY (${ids}::uuid[])
    ORDER BY id FOR NO KEY UPDATE SKIP LOCKED`.execute(tx.sql);
  return rows.length === ids.length;
}
