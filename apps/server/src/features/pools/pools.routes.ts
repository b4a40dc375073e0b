import type { PooledAccount } from '@copydesk/contract';
import { countStatuses, globalStatusOf, type Scope } from '@copydesk/domain';
import type { Database, Tx } from '../../platform/db/database.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import type { Handlers } from '../../platform/http/handlers.ts';
import { changePool } from './change-pool.service.ts';
import { findCycles } from './cycles.views.ts';
import { joinPool } from './members/join-pool.service.ts';
import * as members from './members/members.views.ts';
import * as pools from './pools.views.ts';

type PoolCall =
  | 'GET /api/pooled-accounts'
  | `${'GET' | 'POST' | 'PUT'} /api/pooled-accounts/${string}`
  | 'GET /api/admin/bsc-pending-deposits';
type PoolRoutes = Pick<Handlers, Extract<keyof Handlers, PoolCall>>;

const DEFAULT_PAGE = 50;

/** Reading pooled accounts, their members and their cycles. */
export function createPoolRoutes({ db }: { db: Database }): PoolRoutes {
  /** Reads one thing of a pool in scope; throws when there is none. */
  const found = async <T>(scope: Scope, work: (tx: Tx) => Promise<T | null>): Promise<T> => {
    const value = await db.read(scope, work);
    if (value === null) throw new ApiError('not_found');
    return value;
  };

  return {
    'GET /api/pooled-accounts': async ({ scope, query }) => ({
      success: true,
      pooled_accounts: await db.read(scope, (tx) =>
        pools.listPools(tx, { isInactiveIncluded: query.include_inactive ?? false }),
      ),
    }),
    'GET /api/pooled-accounts/{id}': async ({ scope, params: { id } }) => ({
      success: true,
      data: await found(scope, (tx) => pools.findPool(tx, id)),
    }),
    'PUT /api/pooled-accounts/{id}': ({ params: { id }, body, once }) =>
      once(async (tx) => {
        await changePool(tx, id, body);
        return { success: true, data: (await pools.findPool(tx, id)) as PooledAccount };
      }),
    'GET /api/pooled-accounts/community/{id}': async ({ scope, params: { id } }) => ({
      success: true,
      data: await found(scope, (tx) => pools.findPoolOfCommunity(tx, id)),
    }),
    'GET /api/pooled-accounts/{id}/stats': async ({ scope, params: { id } }) => ({
      success: true,
      data: await found(scope, (tx) => pools.findStats(tx, id)),
    }),
    'GET /api/pooled-accounts/{id}/traders': async ({ scope, params: { id }, query }) => {
      const { limit = DEFAULT_PAGE, offset = 0, showPendingOnly: isPendingOnly = false } = query;
      const [data, meta] = await found(scope, async (tx) =>
        (await pools.poolExists(tx, id))
          ? [
              await members.listMembers(tx, id, { limit, offset, isPendingOnly }),
              await members.sumMembers(tx, id, isPendingOnly),
            ]
          : null,
      );
      return { success: true, data, meta };
    },
    'POST /api/pooled-accounts/{id}/traders': async ({ scope, actor, params: { id }, body }) => ({
      success: true,
      data: await db.write(scope, actor, (tx) => joinPool(tx, id, body.trader_id)),
    }),
    'GET /api/pooled-accounts/{id}/harvest/status': async ({ scope, params: { id } }) => ({
      success: true,
      data: await found(scope, (tx) => findCycles(tx, id)),
    }),
    'GET /api/pooled-accounts/{id}/transactions': async ({ scope, params: { id }, query }) => {
      const { limit = DEFAULT_PAGE, offset = 0 } = query;
      const { data, total } = await found(scope, async (tx) =>
        (await pools.poolExists(tx, id)) ? members.listTransactions(tx, id, { limit, offset }) : null,
      );
      return { success: true, data, meta: { total } };
    },
    'GET /api/pooled-accounts/global/harvest/status': async ({ scope }) => {
      const { statuses, ...sums } = await db.read(scope, pools.sumPools);
      const counts = countStatuses(statuses);
      return {
        success: true,
        data: { status: globalStatusOf(counts), counts, active_pools: statuses.length, ...sums },
      };
    },
    'GET /api/admin/bsc-pending-deposits': async ({ scope }) => ({
      success: true,
      data: await db.read(scope, pools.sumPendingDeposits),
    }),
  };
}
