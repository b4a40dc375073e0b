import { unitsToDecimal } from '@copydesk/domain/money';
import type { Database } from '../../../platform/db/database.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { poolExists } from '../pools.views.ts';
import { listArrivals } from './arrivals.views.ts';
import {
  confirmDecision,
  type DecisionDeps,
  proposeDecision,
  undoDecision,
  withdrawDecision,
} from './decisions.service.ts';
import { listMovements } from './movements.views.ts';
import { readUnexplainedFacts, resolvableOf } from './unexplained.views.ts';

export type ArrivalCall = Extract<keyof Handlers, `${string}/arrivals${string}` | `${string}/movements`>;

const DEFAULT_PAGE = 50;

/** What arrived at proxy wallets, and what super admins decide about it. */
export function createArrivalRoutes({
  db,
  ...deps
}: DecisionDeps & { db: Database }): Pick<Handlers, ArrivalCall> {
  return {
    'GET /api/pooled-accounts/{id}/arrivals': async ({ scope, actor, params: { id }, query }) => {
      const { limit = DEFAULT_PAGE, offset = 0 } = query;
      const found = await db.read(scope, async (tx) =>
        (await poolExists(tx, id))
          ? {
              ...(await listArrivals(tx, id, { limit, offset, callerId: actor.id })),
              resolvable: resolvableOf(await readUnexplainedFacts(tx, id)),
            }
          : null,
      );
      if (!found) throw new Refusal('not_found');
      const { data, total, unexplained } = found;
      const { is_return, sent_back, covers_shortfall } = found.resolvable;
      const resolvable = {
        is_return: unitsToDecimal(is_return),
        sent_back: unitsToDecimal(sent_back),
        covers_shortfall: unitsToDecimal(covers_shortfall),
      };
      return { success: true, data, meta: { total, unexplained, resolvable } };
    },
    'GET /api/pooled-accounts/{id}/movements': async ({ scope, params: { id }, query }) => {
      const { limit = DEFAULT_PAGE, offset = 0 } = query;
      const found = await db.read(scope, async (tx) =>
        (await poolExists(tx, id)) ? await listMovements(tx, id, { limit, offset }) : null,
      );
      if (!found) throw new Refusal('not_found');
      return { success: true, data: found.data, meta: { total: found.total } };
    },
    'POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions': ({ params, body, once }) =>
      once(async (tx) => ({ success: true, data: { id: await proposeDecision(tx, deps, params, body) } })),
    'POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions/{decisionId}/confirm': ({
      params,
      once,
    }) =>
      once(async (tx) => {
        await confirmDecision(tx, deps, params);
        return { success: true, data: { id: params.decisionId } };
      }),
    'POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions/{decisionId}/withdraw': ({
      params,
      once,
    }) =>
      once(async (tx) => {
        await withdrawDecision(tx, params);
        return { success: true, data: { id: params.decisionId } };
      }),
    'POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions/{decisionId}/undo': ({
      params,
      body,
      once,
    }) =>
      once(async (tx) => {
        await undoDecision(tx, params, body.reason);
        return { success: true, data: { id: params.decisionId } };
      }),
  };
}
