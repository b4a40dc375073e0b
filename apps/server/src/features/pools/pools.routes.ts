import { randomUUID } from 'node:crypto';
import type { PooledAccount } from '@copydesk/contract';
import { globalHarvestOf, type Scope } from '@copydesk/domain';
import { connectionError, failureOf } from '../../core/exchanges/gateway-failure.ts';
import type { OrderRules } from '../../core/orders/place-order.ts';
import type { PoolVenue } from '../../integrations/exchanges/pool-venue.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import type { Handlers } from '../../platform/http/handlers.ts';
import { jsonText } from '../../platform/http/json-text.ts';
import { traderExists } from '../traders/trader-exists.views.ts';
import { changePool } from './change-pool.service.ts';
import { findCycles } from './cycles.views.ts';
import type { RequestCall } from './flows/requests.routes.ts';
import type { HarvestCall } from './harvest/harvest.routes.ts';
import { findRun } from './harvest/runs.views.ts';
import { connectPool, requireHarmlessKey, requirePoollessCommunity } from './keys/connect-pool.service.ts';
import { openPoolKey } from './keys/pool-key-box.ts';
import { listPoolKeys } from './keys/pool-keys.store.ts';
import { readOwnAddress } from './keys/read-own-address.ts';
import { replaceKey } from './keys/replace-key.service.ts';
import { joinPool } from './members/join-pool.service.ts';
import * as members from './members/members.views.ts';
import { findStatement } from './members/statement.views.ts';
import * as pools from './pools.views.ts';
import type { ArrivalCall } from './proxy/arrivals.routes.ts';
import { listResults } from './results/results.views.ts';

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
  gateway: { pools: PoolVenue };
  keyring: Keyring;
}

/** Connecting and reading pooled accounts, their members and their cycles. */
export function createPoolRoutes({ db, gateway, keyring, ...rules }: PoolDeps): PoolRoutes {
  /** Reads one thing of a pool in scope; throws when there is none. */
  const found = async <T>(scope: Scope, work: (tx: Tx) => Promise<T | null>): Promise<T> => {
    const value = await db.read(scope, work);
    if (value === null) throw new ApiError('not_found');
    return value;
  };

  /** An answer of the exchange. @throws ApiError `exchange_refused`, `exchange_unavailable` */
  const asked = <T>(answer: Promise<T>): Promise<T> =>
    answer.catch((error) => {
      throw connectionError(failureOf(error));
    });

  return {
    'GET /api/pooled-accounts': async ({ scope, query }) => {
      const list = await db.read(scope, (tx) =>
        pools.listPools(tx, { isInactiveIncluded: query.include_inactive ?? false }),
      );
      return jsonText(`{"success":true,"pooled_accounts":${list}}`);
    },
    'POST /api/pooled-accounts': async ({ scope, actor, body }) => {
      await db.read(scope, (tx) => requirePoollessCommunity(tx, body.community_id));
      const { apiKey, secretKey } = body;
      // The key has no pool yet, so its own budget is that of an account with no other reader.
      const account = {
        key: `new ${randomUUID()}`,
        credentials: { exchange: 'bybit' as const, apiKey, secretKey },
      };
      const key = await asked(gateway.pools.readKey(account, { priority: 'interactive' }));
      requireHarmlessKey(key);
      const depositAddress = await asked(readOwnAddress(gateway.pools, account));
      const data = await db.write(scope, actor, async (tx) => {
        await requirePoollessCommunity(tx, body.community_id); // may have changed during the request
        const { poolId, ...waits } = await connectPool(
          tx,
          { keyring, ...rules },
          { body, key, depositAddress },
        );
        return { ...((await pools.findPool(tx, poolId)) as PooledAccount), ...waits };
      });
      return { success: true, data };
    },
    'GET /api/pooled-accounts/ip-whitelist/{id}': async ({ scope, params: { id } }) => {
      const keys = await found(scope, async (tx) =>
        (await pools.poolExists(tx, id)) ? listPoolKeys(tx, [id]) : null,
      );
      const secrets = openPoolKey(keyring, keys);
      if (!secrets) throw new ApiError('pool_not_connected');
      const account = { key: id, credentials: { exchange: 'bybit' as const, ...secrets } };
      const key = await asked(gateway.pools.readKey(account, { priority: 'interactive' }));
      return {
        success: true,
        data: {
          isRestricted: key.ips.length > 0,
          ips: key.ips,
          permissions: key.permissions,
          uid: key.uid,
          isMaster: key.isMaster,
          expires_at: key.expiresAt === null ? null : new Date(key.expiresAt).toISOString(),
          read_at: new Date(key.readAt).toISOString(),
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
      await found(scope, (tx) => pools.findPool(tx, id));
      const account = {
        key: `new ${randomUUID()}`,
        credentials: { exchange: 'bybit' as const, ...body },
      };
      const key = await asked(gateway.pools.readKey(account, { priority: 'interactive' }));
      requireHarmlessKey(key);
      const data = await db.write(scope, actor, async (tx) => {
        await replaceKey(tx, keyring, { poolId: id, secrets: body, key });
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
      data: await found(scope, async (tx) => ((await pools.poolExists(tx, id)) ? listResults(tx, id) : null)),
    }),
    'GET /api/pooled-accounts/{id}/transactions': async ({ scope, params: { id }, query }) => {
      const { limit = DEFAULT_PAGE, offset = 0 } = query;
      const { data, total } = await found(scope, async (tx) =>
        (await pools.poolExists(tx, id)) ? members.listTransactions(tx, id, { limit, offset }) : null,
      );
      return { success: true, data, meta: { total } };
    },
    'GET /api/pooled-accounts/global/harvest/status': async ({ scope }) => {
      return db.read(scope, async (tx) => {
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
      data: await db.read(scope, pools.sumPendingDeposits),
    }),
  };
}
