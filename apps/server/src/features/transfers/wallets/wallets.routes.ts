import type { LiveSettings } from '../../../core/settings/live-settings.ts';
import type { TransferPurposes } from '../../../core/transfers/transfer-purpose.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { listFrozenWallets } from './frozen-wallets.views.ts';
import { readGasWallet } from './gas-wallet.service.ts';
import { unfreezeWallet } from './unfreeze-wallet.service.ts';

type WalletRoutes = Pick<
  Handlers,
  | 'GET /api/super-admin/wallets'
  | 'GET /api/super-admin/gas-wallet'
  | 'POST /api/super-admin/wallets/{id}/unfreeze'
>;

const DEFAULT_PAGE = 25;

interface Deps {
  db: Database;
  purposes: TransferPurposes;
  settings: Pick<LiveSettings, 'current'>;
}

/** Routes for wallets that need review, and for the gas wallet. */
export function createWalletRoutes({ db, purposes, settings }: Deps): WalletRoutes {
  return {
    'GET /api/super-admin/wallets': async ({ scope, query }) => {
      const page = { limit: query.limit ?? DEFAULT_PAGE, offset: query.offset ?? 0 };
      const { data, total } = await db.read(scope, (tx) => listFrozenWallets(tx, page));
      return { success: true, data, meta: { total } };
    },

    'GET /api/super-admin/gas-wallet': async ({ scope }) => {
      const { chain_max_fee_gwei } = settings.current();
      return { success: true, data: await db.read(scope, (tx) => readGasWallet(tx, chain_max_fee_gwei)) };
    },

    'POST /api/super-admin/wallets/{id}/unfreeze': ({ params: { id }, body, once }) =>
      once(async (tx) => {
        await unfreezeWallet(tx, purposes, id, body.reason);
        return { success: true, data: { id } };
      }),
  };
}
