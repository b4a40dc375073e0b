import type { DepositRecord } from '../../../integrations/exchanges/pool-records.ts';
import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import { poolAccountOf } from '../keys/pool-account.ts';
import { saveMovements } from './evidence.store.ts';
import type { EvidenceDeps } from './read-evidence.ts';

/**
 * The exchange's record of one of our transactions, which is stored; null: it lists none yet.
 * @throws GatewayError
 */
export async function readDeposit(
  deps: EvidenceDeps,
  { poolId }: { poolId: string },
  transactionHash: string,
): Promise<DepositRecord | null> {
  const account = await poolAccountOf(deps, poolId);
  const { deposits } = await deps.venue.listDeposits(
    account,
    { txId: transactionHash },
    { priority: 'background' },
  );
  const own = deposits.filter(({ txId }) => txId === transactionHash.toLowerCase());
  await deps.db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
    saveMovements(tx, poolId, { deposits: own, at: deps.now() }),
  );
  return own[0] ?? null;
}
