import { MOVED_NOTHING } from '@copydesk/domain/payouts';
import { type RawBuilder, sql } from 'kysely';
import { lockCommunities } from '../../../core/transfers/communities.store.ts';
import { voidUnsignable } from '../../../core/transfers/ordered-transfers.store.ts';
import type { PurposeContext } from '../../../core/transfers/transfer-purpose.ts';
import { WHOLE_SCOPE, type WriteTx } from '../../../platform/db/database.ts';
import { retryConflicts } from '../../../platform/db/retry-conflicts.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
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

/**
 * Undoes flows that a review or a missing fact ended before they moved anything. The worker does this: the
 * login of the API may not write what came in or what is being paid.
 * @param underWay the transfers of flows that count as being under way
 */
export const takeBackUnmoved =
  (underWay: RawBuilder<unknown>, takeBack: (tx: WriteTx, ids: string[]) => Promise<void>) =>
  async ({ db }: PurposeContext): Promise<boolean> => {
    const { rows } = await db.read(WHOLE_SCOPE, (tx) =>
      sql<{ id: string; communityId: string }>`
        SELECT i.id, i.community_id AS "communityId" FROM transfer i
        WHERE i.id IN (${underWay}) AND i.state = ANY (${[...MOVED_NOTHING]}::text[])`.execute(tx.sql),
    );
    if (rows.length === 0) return false;
    await retryConflicts(() =>
      db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
        await lockCommunities(
          tx,
          rows.map(({ communityId }) => communityId),
        );
        await takeBack(
          tx,
          rows.map(({ id }) => id),
        );
      }),
    );
    return true;
  };
