import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { openCommunityWallet } from '../../../core/transfers/open-wallets.store.ts';
import { orderTransfers } from '../../../core/transfers/ordered-transfers.store.ts';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';
import { findProxyWallet } from '../flows/proxy-wallet.views.ts';
import type { CyclePlace } from './decide-result.ts';
import { sumUnpaid } from './pool-invoices.store.ts';

/** The chain and the token of the books. */
export interface TransferPlace {
  chainId: number;
  tokenAddress: string;
}

/**
 * Orders the transfer of a cycle's fees from the proxy wallet to the community's wallet, unless one is under
 * way or has arrived. Safe to repeat: a transfer that ended without moving anything is ordered again. The
 * caller has locked the community.
 */
export async function orderFeeTransfer(
  tx: WriteTx,
  { chainId, tokenAddress }: TransferPlace,
  { poolId, cycleId, communityId }: CyclePlace & { communityId: string },
): Promise<void> {
  const units = await sumUnpaid(tx, cycleId);
  if (units === 0n || (await isUnderWay(tx, cycleId))) return;
  const proxy = await findProxyWallet(tx, chainId, poolId);
  const wallet = await openCommunityWallet(tx, chainId, communityId);
  // Both are set up where the seed is. Until then the fees stay in the proxy wallet, and the pool does not stop.
  if (!proxy || !wallet) return;
  const id = randomUUID();
  await orderTransfers(tx, [
    {
      id,
      kind: 'pool_fee',
      walletId: proxy.id,
      communityId,
      to: wallet.address,
      token: tokenAddress,
      units,
      subjectId: null,
    },
  ]);
  await sql`UPDATE harvest_cycle SET fee_transfer_id = ${id} WHERE id = ${cycleId}`.execute(tx.sql);
}

async function isUnderWay(tx: Tx, cycleId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM harvest_cycle h JOIN transfer f ON f.id = h.fee_transfer_id
    WHERE h.id = ${cycleId} AND f.state IN ('planned', 'sent', 'final')`.execute(tx.sql);
  return rows.length > 0;
}

/** Whether fees of the cycle are still in the proxy wallet. */
export const isFeeTransferPending = async (tx: Tx, cycleId: string): Promise<boolean> =>
  (await sumUnpaid(tx, cycleId)) > 0n;
