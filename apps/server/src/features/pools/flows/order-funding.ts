import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { orderTransfers } from '../../../core/transfers/ordered-transfers.store.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import type { PoolTransferDeps } from './plan-flows.ts';
import { findProxyWallet } from './proxy-wallet.views.ts';

interface PlannedFunding {
  poolId: string;
  communityId: string;
  cycleId: string;
  attempt: number;
}

/** Orders the transfer of a planned attempt to the approved address at the exchange. */
export async function orderFunding(
  tx: WriteTx,
  { chainId, tokenAddress }: Pick<PoolTransferDeps, 'chainId' | 'tokenAddress'>,
  { poolId, communityId, cycleId, attempt }: PlannedFunding,
): Promise<void> {
  const { rows } = await sql<{ units: string; to_address: string | null }>`
    SELECT f.units::text AS units, f.to_address FROM harvest_funding f
    WHERE f.cycle_id = ${cycleId} AND f.attempt = ${attempt} AND f.state = 'planned' FOR NO KEY UPDATE`.execute(
    tx.sql,
  );
  const [planned] = rows;
  const proxy = await findProxyWallet(tx, chainId, poolId);
  if (!planned?.to_address || !proxy) throw new Error(`the funding ${cycleId}:${attempt} cannot be ordered`);
  const id = randomUUID();
  await orderTransfers(tx, [
    {
      id,
      kind: 'pool_fund',
      walletId: proxy.id,
      communityId,
      to: planned.to_address,
      token: tokenAddress,
      units: BigInt(planned.units),
      subjectId: null,
    },
  ]);
  await sql`UPDATE harvest_funding SET state = 'ordered', transfer_id = ${id}
    WHERE cycle_id = ${cycleId} AND attempt = ${attempt}`.execute(tx.sql);
}
