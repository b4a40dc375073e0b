import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { communityInScope } from '../../platform/db/scope-filter.ts';

/** A community as the payer, from its internal wallet. */
export interface PayingCommunity {
  id: string;
  name: string;
  /** null: not set up yet. */
  walletAddress: string | null;
  /** The address for the community's own share. */
  externalAddress: string | null;
}

export const findPayingCommunity = async (tx: Tx, id: string) => (await list(tx, [id], sql``))[0] ?? null;

/** The same of several; without those that do not exist. */
export const listPayingCommunities = (tx: Tx, ids: readonly string[]) => list(tx, ids, sql``);

/**
 * The same, locked until the transaction ends. Planning, deciding and repeating payouts of a community run one at a
 * time. The lock has the same strength as that of the triggers which maintain payout sums, so the lock order stays the
 * same. Booking payments for the community is not blocked.
 */
export const lockPayingCommunity = async (tx: Tx, id: string) =>
  (await lockPayingCommunities(tx, [id]))[0] ?? null;

/** The same of several, locked in one order. */
export const lockPayingCommunities = (tx: Tx, ids: readonly string[]) =>
  list(tx, ids, sql`ORDER BY c.id FOR NO KEY UPDATE`);

async function list(
  tx: Tx,
  ids: readonly string[],
  lock: ReturnType<typeof sql>,
): Promise<PayingCommunity[]> {
  const { rows } = await sql<PayingCommunity>`
    SELECT c.id, c.name, c.internal_wallet_address AS "walletAddress",
      c.external_wallet_address AS "externalAddress"
    FROM community c
    WHERE c.id = ANY (${[...ids]}::uuid[]) AND ${communityInScope(tx, 'c.id')} ${lock}`.execute(tx.sql);
  return rows;
}
