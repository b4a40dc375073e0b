import type { Database } from '../../../platform/db/database.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { listUnmatched } from './unmatched-payments.views.ts';

const DEFAULT_PAGE = 25;

export function createPaymentRoutes({ db }: { db: Database }): Pick<Handlers, 'GET /api/payments/unmatched'> {
  return {
    'GET /api/payments/unmatched': async ({ query: { limit = DEFAULT_PAGE, offset = 0 }, scope }) => ({
      success: true,
      ...(await db.read(scope, (tx) => listUnmatched(tx, { limit, offset }))),
    }),
  };
}
