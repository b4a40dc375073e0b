import type { WriteTx } from '../../platform/db/database.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import { findWalletForUpdate, unfreeze } from './wallets.store.ts';

/**
 * Lets a frozen wallet send again. Nonces that the chain has seen and we have not signed are never handed out.
 * @param reason what a person has found
 * @throws ApiError `not_found`, `wallet_not_frozen`
 */
export async function unfreezeWallet(tx: WriteTx, id: string, reason: string): Promise<void> {
  const wallet = await findWalletForUpdate(tx, id);
  if (!wallet) throw new ApiError('not_found');
  if (wallet.frozenBecause === null) throw new ApiError('wallet_not_frozen');
  const nextNonce = await unfreeze(tx, id);
  tx.audit({
    action: 'wallet.unfrozen',
    target: { kind: 'wallet', id },
    before: { address: wallet.address, because: wallet.frozenBecause, next_nonce: wallet.nextNonce },
    after: { reason, next_nonce: nextNonce },
  });
}
