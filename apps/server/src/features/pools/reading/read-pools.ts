import { failureOf } from '../../../core/exchanges/gateway-failure.ts';
import type { PoolVenue } from '../../../integrations/exchanges/pool-venue.ts';
import { isDatabaseGone } from '../../../platform/db/connection/outage.ts';
import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import { findPoolAccount } from '../keys/pool-account.ts';
import type { PoolKeyOpener } from '../keys/pool-key-opener.ts';
import * as store from './pool-reads.store.ts';

export interface PoolReading {
  db: Database;
  poolKeys: PoolKeyOpener;
  venue: Pick<PoolVenue, 'readBalances' | 'listPositions' | 'countOpenOrders'>;
  /** ms since 1970 */
  now: () => number;
  /** A pool is read again after this long. */
  everyMs: number;
}

/** The slowest call of a read allows five a second. */
const POOLS_AT_ONCE = 10;
const OPTIONS = { priority: 'background' } as const;

/**
 * Reads the USDT of pools that are due: both wallets of their accounts, and the unrealised result of open positions; of
 * those that are open to their members also whether anything trades. A failure is stored beside the last balance: the
 * figure on screen keeps its age. Two workers that read the same pool do no harm, and the newer read stays.
 * @returns whether more pools are due
 */
export async function readDuePools(deps: PoolReading): Promise<boolean> {
  const { db, now, everyMs } = deps;
  const before = new Date(now() - everyMs);
  const due = await db.read(WHOLE_SCOPE, (tx) => store.listDuePools(tx, before, POOLS_AT_ONCE));
  await Promise.all(due.map((pool) => readPool(deps, pool)));
  return due.length === POOLS_AT_ONCE;
}

async function readPool(
  { db, poolKeys, venue, now }: PoolReading,
  { id: poolId, isOpen }: store.DuePool,
): Promise<void> {
  const account = await findPoolAccount({ db, poolKeys }, poolId);
  const fail = (problem: string) =>
    db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => store.saveProblem(tx, poolId, problem, new Date(now())));
  if (!account) return fail('invalid_credentials');
  try {
    const [{ totalUnits, unified, readAt }, positions, orders] = await Promise.all([
      venue.readBalances(account, OPTIONS),
      isOpen ? venue.listPositions(account, OPTIONS) : null,
      isOpen ? venue.countOpenOrders(account, OPTIONS) : null,
    ]);
    await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
      store.saveRead(tx, poolId, {
        units: totalUnits + unified.unrealizedUnits,
        readAt: new Date(readAt),
        openPositions: positions?.positions.length ?? null,
        openOrders: orders?.count ?? null,
      }),
    );
  } catch (error) {
    // The database failed, not the exchange.
    if (isDatabaseGone(error)) throw error;
    await fail(failureOf(error).code);
  }
}
