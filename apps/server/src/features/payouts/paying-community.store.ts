import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { communityInScope } from '../../platform/db/scope-filter.ts';

/** A community as what pays: out of its internal wallet. */
export interface PayingCommunity {
  id: string;
  isArchived: boolean;
  /** null: not set up yet. */
  walletAddress: string | null;
  /** Where its own share goes. */
  externalAddress: string | null;
}

export const findPayingCommunity = (tx: Tx, id: string) => find(tx, id, sql``);

/**
 * The same, locked until the transaction ends: whoever plans, decides or repeats payouts of a community does it one at
 * a time. As the triggers lock it that keep sums of payouts, so that nobody takes the two in another order; those who
 * book payments for the community go on.
 */
export const lockPayingCommunity = (tx: Tx, id: string) => find(tx, id, sql`FOR NO KEY UPDATE`);

async function find(tx: Tx, id: string, lock: ReturnType<typeof sql>): Promise<PayingCommunity | null> {
  const { rows } = await sql<PayingCommunity>`
    SELECT c.id, c.is_archived AS "isArchived", c.internal_wallet_address AS "walletAddress",
      c.external_wallet_address AS "externalAddress"
    FROM community c
    WHERE c.id = ${id} AND ${communityInScope(tx, 'c.id')} ${lock}`.execute(tx.sql);
  return rows[0] ?? null;
}
