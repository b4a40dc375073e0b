import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { communityInScope } from '../../platform/db/scope-filter.ts';

/** A community as the payer, from its internal wallet. */
export interface PayingCommunity {
  id: string;
  /** null: not set up yet. */
  walletAddress: string | null;
  /** The address for the community's own share. */
  externalAddress: string | null;
}

export const findPayingCommunity = (tx: Tx, id: string) => find(tx, id, sql``);

/**
 * The same, locked until the transaction ends. Planning, deciding and repeating payouts of a community run one at a
 * time. The lock has the same strength as that of the triggers which maintain payout sums, so the lock order stays the
 * same. Booking payments for the community is not blocked.
 */
export const lockPayingCommunity = (tx: Tx, id: string) => find(tx, id, sql`FOR NO KEY UPDATE`);

async function find(tx: Tx, id: string, lock: ReturnType<typeof sql>): Promise<PayingCommunity | null> {
  const { rows } = await sql<PayingCommunity>`
    SELECT c.id, c.internal_wallet_address AS "walletAddress",
      c.external_wallet_address AS "externalAddress"
    FROM community c
    WHERE c.id = ${id} AND ${communityInScope(tx, 'c.id')} ${lock}`.execute(tx.sql);
  return rows[0] ?? null;
}
