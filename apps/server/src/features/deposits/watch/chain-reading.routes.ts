import type { Token } from '../../../core/chain/transfer-receiver.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { resumeReading } from './chain-cursor.store.ts';
import { readChainReading } from './chain-reading.views.ts';

type ReadingCall = 'GET /api/super-admin/deposit-reading' | 'POST /api/super-admin/deposit-reading/resume';

/** How far the worker has read the chain, and letting it go on. */
export function createChainReadingRoutes({
  db,
  token,
  isDemo,
}: {
  db: Database;
  token: Token;
  isDemo: boolean;
}): Pick<Handlers, ReadingCall> {
  return {
    'GET /api/super-admin/deposit-reading': async ({ scope }) => ({
      success: true,
      data: await db.read(scope, (tx) => readChainReading(tx, token, { isDemo })),
    }),

    'POST /api/super-admin/deposit-reading/resume': ({ body, once }) =>
      once(async (tx) => {
        const stopped = await resumeReading(tx, token);
        if (!stopped) throw new Refusal('reading_not_stopped');
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
