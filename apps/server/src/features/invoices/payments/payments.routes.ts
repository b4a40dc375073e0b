import type { OrderRules } from '../../../core/transfers/orders/place-order.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { listOtherTokens } from '../../deposits/other-tokens.views.ts';
import { type ReturnPlace, returnCredit } from './return-credit.ts';
import { orderTip } from './tip-credit.ts';
import { listUnmatched } from './unmatched-payments.views.ts';

const DEFAULT_PAGE = 25;

export function createPaymentRoutes({
  db,
  orderRules,
  chain,
}: {
  db: Database;
  orderRules: OrderRules;
  chain: ReturnPlace;
}): Pick<
  Handlers,
  | 'GET /api/payments/unmatched'
  | 'GET /api/payments/other-tokens'
  | 'POST /api/payments/{id}/tip'
  | 'POST /api/payments/{id}/return'
> {
  return {
    'GET /api/payments/unmatched': async ({ query: { limit = DEFAULT_PAGE, offset = 0 }, scope }) => ({
      success: true,
      ...(await db.readAny(scope, (tx) => listUnmatched(tx, { limit, offset }))),
    }),

    'GET /api/payments/other-tokens': async ({ query: { limit = DEFAULT_PAGE, offset = 0 }, scope }) => ({
      success: true,
      ...(await db.readAny(scope, (tx) => listOtherTokens(tx, { limit, offset }))),
    }),

    'POST /api/payments/{id}/tip': ({ params: { id }, body, once }) =>
      once(async (tx) => ({ success: true, data: await orderTip(tx, orderRules, id, body) })),

    'POST /api/payments/{id}/return': ({ params: { id }, body, once }) =>
      once(async (tx) => ({
        success: true,
        data: await returnCredit(tx, { ...orderRules, chain }, id, body),
      })),
  };
}
