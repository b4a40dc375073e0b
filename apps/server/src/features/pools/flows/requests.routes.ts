import type { Scope } from '@copydesk/domain/access';
import type { Database } from '../../../platform/db/database.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { poolExists } from '../pools.views.ts';
import {
  cancelWithdrawal,
  confirmWithdrawals,
  type RequestDeps,
  requestWithdrawal,
  returnDeposit,
} from './requests.service.ts';
import { isSeen, listRequests, type NamedFlow } from './requests.views.ts';

export type RequestCall =
  | 'GET /api/pooled-accounts/{id}/requests'
  | 'POST /api/pooled-accounts/{id}/withdrawals'
  | 'POST /api/pooled-accounts/{id}/withdrawals/confirm'
  | 'POST /api/pooled-accounts/{id}/withdrawals/{withdrawalId}/cancel'
  | 'POST /api/pooled-accounts/{id}/deposits/{depositId}/return';

const DEFAULT_PAGE = 50;

/** Deposits and withdrawals of members. */
export function createPoolRequestRoutes({
  db,
  ...deps
}: RequestDeps & { db: Database }): Pick<Handlers, RequestCall> {
  /** A program may name only flows of its own members: `once` runs in a wider scope. */
  const requireSeen = async (scope: Scope, named: NamedFlow) => {
    if (!(await db.read(scope, (tx) => isSeen(tx, named)))) throw new Refusal('not_found');
  };
  return {
    'GET /api/pooled-accounts/{id}/requests': async ({ scope, params: { id }, query }) => {
      const { limit = DEFAULT_PAGE, offset = 0, state = 'open' } = query;
      const found = await db.read(scope, async (tx) =>
        (await poolExists(tx, id))
          ? listRequests(tx, id, { isOpenOnly: state === 'open', limit, offset })
          : null,
      );
      if (!found) throw new Refusal('not_found');
      return { success: true, data: found.data, meta: { total: found.total } };
    },
    'POST /api/pooled-accounts/{id}/withdrawals': async ({ scope, params: { id }, body, once }) => {
      await requireSeen(scope, { what: 'member', poolId: id, id: body.member_id });
      return once(async (tx) => ({ success: true, data: await requestWithdrawal(tx, deps, id, body) }));
    },
    'POST /api/pooled-accounts/{id}/withdrawals/confirm': ({ params: { id }, body, once }) =>
      once(async (tx) => ({
        success: true,
        data: await confirmWithdrawals(tx, deps, id, body.withdrawal_ids),
      })),
    'POST /api/pooled-accounts/{id}/withdrawals/{withdrawalId}/cancel': async ({ scope, params, once }) => {
      await requireSeen(scope, { what: 'withdrawal', poolId: params.id, id: params.withdrawalId });
      return once(async (tx) => {
        await cancelWithdrawal(tx, params.id, params.withdrawalId);
        return { success: true, data: { id: params.withdrawalId } };
      });
    },
    'POST /api/pooled-accounts/{id}/deposits/{depositId}/return': async ({ scope, params, once }) => {
      await requireSeen(scope, { what: 'deposit', poolId: params.id, id: params.depositId });
      return once(async (tx) => {
        const waits = await returnDeposit(tx, deps, params.id, params.depositId);
        return { success: true, data: { id: params.depositId, ...waits } };
      });
    },
  };
}
