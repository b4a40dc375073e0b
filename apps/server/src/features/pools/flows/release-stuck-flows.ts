import { sql } from 'kysely';
import { voidUnsignable } from '../../../core/transfers/ordered-transfers.store.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { queueDepositsAgain } from './queued-deposits.store.ts';
import { releaseWithdrawals } from './release-reservations.ts';
import { endPaying } from './withdrawals.store.ts';

/**
 * Puts collections and payments back into the queue that were ordered and cannot be signed: the chain refuses them,
 * their wallet is frozen, or a limit is reached. They took no nonce, so their transfers are void. Those that only wait
 * for gas go on. The caller has locked the community of the pool, without which the engine signs nothing.
 */
export async function releaseStuckFlows(tx: WriteTx, poolId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT d.transfer_id AS id FROM pool_deposit d
    WHERE d.pooled_account_id = ${poolId} AND d.state = 'collecting'
    UNION ALL
    SELECT w.transfer_id FROM pool_withdrawal w
    WHERE w.pooled_account_id = ${poolId} AND w.state = 'paying'`.execute(tx.sql);
  const released = await voidUnsignable(
    tx,
    rows.map(({ id }) => id),
  );
  if (released.length === 0) return;
  await queueDepositsAgain(tx, released);
  await releaseWithdrawals(tx, await endPaying(tx, released));
  tx.audit({
    action: 'pool.flows_released',
    target: { kind: 'pool', id: poolId },
    after: { transfers: released.length },
  });
}
