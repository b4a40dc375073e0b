import { randomUUID } from 'node:crypto';
import type { PooledAccount } from '@copydesk/contract/pools';
import type { Scope } from '@copydesk/domain/access';
import { globalHarvestOf } from '@copydesk/domain/pools';
import type { OrderRules } from '../../core/transfers/orders/place-order.ts';
import type { AnyTx, Database, Tx } from '../../platform/db/database.ts';
import type { Handlers } from '../../platform/http/handlers.ts';
import { jsonText } from '../../platform/http/json-text.ts';
import { Refusal } from '../../platform/refusal.ts';
import { traderExists } from '../traders/trader-exists.views.ts';
import { changePool } from './change-pool.service.ts';
import { findCycles } from './cycles.views.ts';
import { askExchange } from './exchange/ask-exchange.ts';
import type { RequestCall } from './flows/requests.routes.ts';
import type { HarvestCall } from './harvest/harvest.routes.ts';
import { findRun } from './harvest/runs/runs.views.ts';
import { connectPool, requirePoollessCommunity } from './keys/connect-pool.service.ts';
import { type PoolKeySealer, type PoolKeySecrets, sealPoolKey } from './keys/pool-key-box.ts';
import { replaceKey } from './keys/replace-key.service.ts';
import { joinPool } from './members/join-pool.service.ts';
import * as members from './members/members.views.ts';
import { findStatement } from './members/statement.views.ts';
import * as pools from './pools.views.ts';
import type { ArrivalCall } from './proxy/arrivals.routes.ts';
import { listEvents, listResults } from './results/results.views.ts';

type PoolCall =
  | `${'GET' | 'POST'} /api/pooled-accounts`
  | `${'GET' | 'POST' | 'PUT'} /api/pooled-accounts/${string}`
  | 'GET /api/admin/bsc-pending-deposits'
  | 'GET /api/traders/{id}/pool';
type PoolRoutes = Omit<
  Pick<Handlers, Extract<keyof Handlers, PoolCall>>,
  ArrivalCall | HarvestCall | RequestCall
>;

const DEFAULT_PAGE = 50;

interface PoolDeps extends OrderRules {
  db: Database;
  /** Null: no public key of workers is configured. */
  sealer: PoolKeySealer | null;
}

/** Connecting and reading pooled accounts, their members and their cycles. */
export function createPoolRoutes({ db, sealer, ...rules }: PoolDeps): PoolRoutes {
  /** Reads one thing of a pool in scope, to show it; throws when there is none. */
  const found = async <T>(scope: Scope, work: (tx: AnyTx) => Promise<T | null>): Promise<T> => {
    const value = await db.readAny(scope, work);
    if (value === null) throw new Refusal('not_found');
    return value;
  };
  /** The same for what a decision is taken by. */
  const current = async <T>(scope: Scope, work: (tx: Tx) => Promise<T | null>): Promise<T> => {
    const value = await db.read(scope, work);
    if (value === null) throw new Refusal('not_found');
    return value;
  };
  /** Before something is done with it. */
  const requirePool = async (scope: Scope, id: string): Promise<void> => {
    await current(scope, async (tx) => (await pools.poolExists(tx, id)) || null);
  };

  /** @throws Refusal `exchange_unavailable` where no worker could open what is stored */
  const sealed = (poolId: string, secrets: PoolKeySecrets) => {
    if (!sealer)
      throw new Refusal('exchange_unavailable', {
        message: 'This API has no POOL_KEYS_RECIPIENT, so it cannot store keys of pools',
      });
    return sealPoolKey(sealer, poolId, secrets);
  };

  return {
    'GET /api/pooled-accounts': async ({ scope, query }) => {
      const list = await db.readAny(scope, (tx) =>
        pools.listPools(tx, { isInactiveIncluded: query.include_inactive ?? false }),
      );
      return jsonText(`{"success":true,"pooled_accounts":${list}}`);
    },
    'POST /api/pooled-accounts': async ({ scope, actor, body }) => {
      await db.read(scope, (tx) => requirePoollessCommunity(tx, body.community_id));
      const communityId = body.community_id;
      const poolId = randomUUID();
      const question = { kind: 'connection', poolId, communityId, key: await sealed(poolId, body) } as const;
      const asked = await askExchange(db, actor, question);
      const data = await db.write(scope, actor, async (tx) => {
        await requirePoollessCommunity(tx, body.community_id); // may have changed during the request
        const { poolId: id, ...waits } = await connectPool(tx, rules, { body, ...asked });
        return { ...((await pools.findPool(tx, id)) as PooledAccount), ...waits };
      });
      return { success: true, data };
    },
    'POST /api/pooled-accounts/check-key': async ({ scope, actor, body }) => {
      const { community_id: communityId } = body;
      await db.read(scope, (tx) => requirePoollessCommunity(tx, communityId));
      const poolId = randomUUID();
      const question = { kind: 'connection', poolId, communityId, key: await sealed(poolId, body) } as const;
      const { answer } = await askExchange(db, actor, question);
      if (answer.uid === null) throw new Error('the key of a new pool is not described');
      return { success: true, data: { uid: answer.uid, permissions: answer.account?.permissions ?? [] } };
    },
    'GET /api/pooled-accounts/ip-whitelist/{id}': async ({ scope, actor, params: { id } }) => {
      await requirePool(scope, id);
      const { answer } = await askExchange(db, actor, { kind: 'description', poolId: id });
      const { account, uid } = answer;
      if (!account || uid === null) throw new Error(`the key of the pool ${id} is not described`);
      const { ips, permissions, isMaster, expiresAt, readAt } = account;
      return {
        success: true,
        data: {
          isRestricted: ips.length > 0,
          ips,
          permissions,
          uid,
          isMaster,
          expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
          read_at: new Date(readAt).toISOString(),
        },
      };
    },
    'GET /api/pooled-accounts/{id}': async ({ scope, params: { id } }) => ({
      success: true,
      data: await found(scope, (tx) => pools.findPool(tx, id)),
    }),
    'PUT /api/pooled-accounts/{id}': ({ params: { id }, body, once }) =>
      once(async (tx) => {
        await changePool(tx, id, body);
        return { success: true, data: (await pools.findPool(tx, id)) as PooledAccount };
      }),
    'PUT /api/pooled-accounts/{id}/key': async ({ scope, actor, params: { id }, body }) => {
      await requirePool(scope, id);
      const question = { kind: 'replacement', poolId: id, key: await sealed(id, body) } as const;
      const asked = await askExchange(db, actor, question);
      const data = await db.write(scope, actor, async (tx) => {
        await replaceKey(tx, { poolId: id, ...asked });
        return (await pools.findPool(tx, id)) as PooledAccount;
      });
      return { success: true, data };
    },
    'GET /api/pooled-accounts/community/{id}': async ({ scope, params: { id } }) => ({
      success: true,
      data: await found(scope, (tx) => pools.findPoolOfCommunity(tx, id)),
    }),
    'GET /api/pooled-accounts/{id}/stats': async ({ scope, params: { id } }) => ({
      success: true,
      data: await current(scope, (tx) => pools.findStats(tx, id, rules.now())),
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
    'GET /api/traders/{id}/pool': async ({ scope, params: { id } }) => {
      const data = await found(scope, async (tx) =>
        (await traderExists(tx, id)) ? { statement: await findStatement(tx, id) } : null,
      );
      return { success: true, data: data.statement };
    },
    'GET /api/pooled-accounts/{id}/harvest/status': async ({ scope, params: { id } }) => ({
      success: true,
      data: await found(scope, (tx) => findCycles(tx, id)),
    }),
    'GET /api/pooled-accounts/{id}/results': async ({ scope, params: { id } }) => ({
      success: true,
      ...(await found(scope, async (tx) =>
        (await pools.poolExists(tx, id))
          ? { data: await listResults(tx, id), meta: { events: await listEvents(tx, id) } }
          : null,
      )),
    }),
    'GET /api/pooled-accounts/{id}/transactions': async ({ scope, params: { id }, query }) => {
      const { limit = DEFAULT_PAGE, offset = 0 } = query;
      const { data, total } = await found(scope, async (tx) =>
        (await pools.poolExists(tx, id)) ? members.listTransactions(tx, id, { limit, offset }) : null,
      );
      return { success: true, data, meta: { total } };
    },
    'GET /api/pooled-accounts/global/harvest/status': async ({ scope }) => {
      return db.readAny(scope, async (tx) => {
        const { statuses, ...sums } = await pools.sumPools(tx);
        const lastRun = await findRun(tx);
        return {
          success: true,
          data: { ...globalHarvestOf(statuses), active_pools: statuses.length, ...sums, last_run: lastRun },
        };
      });
    },
    'GET /api/admin/bsc-pending-deposits': async ({ scope }) => ({
      success: true,
      data: await db.readAny(scope, pools.sumPendingDeposits),
    }),
  };
}
