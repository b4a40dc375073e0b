import { sql } from 'kysely';
import { voidUnsigned } from '../../../core/transfers/ordered-transfers.store.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { queueDepositsAgain } from './queued-deposits.store.ts';
import { releaseWithdrawals } from './release-reservations.ts';
import { listByTransfers } from './withdrawals.store.ts';

/**
 * Puts collections and payments back into the queue that were ordered and cannot be signed: the chain refuses them,
 * their wallet is frozen, or a limit is reached. They took no nonce, so their transfers are void. Those that only wait
 * for gas go on. The caller has locked the community of the pool, without which the engine signs nothing.
 */
export async function releaseStuckFlows(tx: WriteTx, poolId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    SELECT t.id FROM transfer t JOIN chain_wallet w ON w.id = t.wallet_id
    WHERE t.state = 'planned' AND (w.frozen_because IS NOT NULL OR t.problem <> 'waits_for_gas') AND t.id IN (
      SELECT d.transfer_id FROM pool_deposit d WHERE d.pooled_account_id = ${poolId} AND d.state = 'collecting'
      UNION ALL
      SELECT p.transfer_id FROM pool_withdrawal p WHERE p.pooled_account_id = ${poolId} AND p.state = 'paying')
    ORDER BY t.id FOR NO KEY UPDATE OF t`.execute(tx.sql);
  if (rows.length === 0) return;
  const released = await voidUnsigned(
    tx,
    rows.map(({ id }) => id),
  );
  await queueDepositsAgain(tx, released);
  await releaseWithdrawals(tx, await listByTransfers(tx, released));
  tx.audit({
    action: 'pool.flows_released',
    target: { kind: 'pool', id: poolId },
    after: { transfers: released.length },
  });
}
