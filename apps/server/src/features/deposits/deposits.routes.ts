import type { Database } from '../../platform/db/database.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import type { Handlers } from '../../platform/http/handlers.ts';
import { readDepositReading } from './deposit-reading.views.ts';
import { resumeReading, type Token } from './deposits.store.ts';

type DepositCall = 'GET /api/super-admin/deposit-reading' | 'POST /api/super-admin/deposit-reading/resume';

/** Routes for the manual review of on-chain deposits. The worker reads them. */
export function createDepositRoutes({
  db,
  token,
}: {
  db: Database;
  token: Token;
}): Pick<Handlers, DepositCall> {
  return {
    'GET /api/super-admin/deposit-reading': async ({ scope }) => ({
      success: true,
      data: await db.read(scope, (tx) => readDepositReading(tx, token)),
    }),

    'POST /api/super-admin/deposit-reading/resume': ({ body, once }) =>
      once(async (tx) => {
        const stopped = await resumeReading(tx, token);
        if (!stopped) throw new ApiError('reading_not_stopped');
        tx.audit({
          action: 'deposit_reading.resumed',
          target: { kind: 'chain', id: String(token.chainId) },
          before: { stopped_because: stopped.because },
          after: { reason: body.reason, block_number: stopped.blockNumber },
        });
        return { success: true, data: { block_number: stopped.blockNumber } };
      }),
  };
}
