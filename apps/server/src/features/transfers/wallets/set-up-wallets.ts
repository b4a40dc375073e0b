import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import type { TransferEngine } from '../engine/engine.ts';
import { ensureGasWallet } from '../engine/sending-wallets.store.ts';
import * as store from './set-up-wallets.store.ts';

/**
 * Assigns wallet addresses to communities without one, and the gas wallet to the platform. Runs where the seed is,
 * because only the seed gives the addresses.
 */
export async function setUpWallets({
  db,
  keys,
  chainId,
}: Pick<TransferEngine, 'db' | 'keys' | 'chainId'>): Promise<void> {
  const without = await db.read(WHOLE_SCOPE, store.listWithoutWallet);
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    await ensureGasWallet(tx, chainId, keys.addressOf({ role: 'gas', keyIndex: 0 }));
    for (const { id, keyIndex } of without) {
      const address = keys.addressOf({ role: 'community', keyIndex });
      await store.setWalletAddress(tx, id, address);
      tx.audit({
        action: 'community.wallet_set_up',
        target: { kind: 'community', id },
        after: { internal_wallet_address: address },
      });
    }
  });
}
