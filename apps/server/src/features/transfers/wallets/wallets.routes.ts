import type { TransferPurposes } from '../../../core/transfers/transfer-purpose.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { listFrozenWallets } from './frozen-wallets.views.ts';
import { unfreezeWallet } from './unfreeze-wallet.service.ts';

type WalletRoutes = Pick<
  Handlers,
  'GET /api/super-admin/wallets' | 'POST /api/super-admin/wallets/{id}/unfreeze'
>;

const DEFAULT_PAGE = 25;

/** Routes for wallets that need review. */
export function createWalletRoutes({
  db,
  purposes,
}: {
  db: Database;
  purposes: TransferPurposes;
}): WalletRoutes {
  return {
    'GET /api/super-admin/wallets': async ({ scope, query }) => {
      const page = { limit: query.limit ?? DEFAULT_PAGE, offset: query.offset ?? 0 };
      const { data, total } = await db.read(scope, (tx) => listFrozenWallets(tx, page));
      return { success: true, data, meta: { total } };
    },

    'POST /api/super-admin/wallets/{id}/unfreeze': ({ params: { id }, body, once }) =>
      once(async (tx) => {
        await unfreezeWallet(tx, purposes, id, body.reason);
        return { success: true, data: { id } };
      }),
  };
}
