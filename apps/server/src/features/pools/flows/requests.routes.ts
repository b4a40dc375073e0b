import type { Database } from '../../../platform/db/database.ts';
import { ApiError } from '../../../platform/http/api-error.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { poolExists } from '../pools.views.ts';
import type { PoolTransferDeps } from './plan-flows.ts';
import { cancelWithdrawal, requestWithdrawal, returnDeposit } from './requests.service.ts';
import { listRequests } from './requests.views.ts';

export type RequestCall =
  | 'GET /api/pooled-accounts/{id}/requests'
  | 'POST /api/pooled-accounts/{id}/withdrawals'
  | 'POST /api/pooled-accounts/{id}/withdrawals/{withdrawalId}/cancel'
  | 'POST /api/pooled-accounts/{id}/deposits/{depositId}/return';

const DEFAULT_PAGE = 50;

/** Deposits and withdrawals of members. */
export function createPoolRequestRoutes({
  db,
  chain,
}: {
  db: Database;
  chain: PoolTransferDeps;
}): Pick<Handlers, RequestCall> {
  return {
    'GET /api/pooled-accounts/{id}/requests': async ({ scope, params: { id }, query }) => {
      const { limit = DEFAULT_PAGE, offset = 0, state = 'open' } = query;
      const found = await db.read(scope, async (tx) =>
        (await poolExists(tx, id))
          ? listRequests(tx, id, { isOpenOnly: state === 'open', limit, offset })
          : null,
      );
      if (!found) throw new ApiError('not_found');
      return { success: true, data: found.data, meta: { total: found.total } };
    },
    'POST /api/pooled-accounts/{id}/withdrawals': ({ params: { id }, body, once }) =>
      once(async (tx) => ({ success: true, data: await requestWithdrawal(tx, id, body) })),
    'POST /api/pooled-accounts/{id}/withdrawals/{withdrawalId}/cancel': ({ params, once }) =>
      once(async (tx) => {
        await cancelWithdrawal(tx, params.id, params.withdrawalId);
        return { success: true, data: { id: params.withdrawalId } };
      }),
    'POST /api/pooled-accounts/{id}/deposits/{depositId}/return': ({ params, once }) =>
      once(async (tx) => {
        await returnDeposit(tx, chain, params.id, params.depositId);
        return { success: true, data: { id: params.depositId } };
      }),
  };
}
