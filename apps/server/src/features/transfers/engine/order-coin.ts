import type { Wallet } from '../../../core/transfers/transfer.ts';
import { TOPUP_ROOM, TRANSFER_GAS } from '../../../core/transfers/transfer-gas.ts';
import type { Fee } from '../../../integrations/chain/chain-sender.ts';
import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../platform/jobs/worker-actor.ts';
import type { TransferEngine } from './engine.ts';
import * as walletStore from './sending-wallets.store.ts';
import * as transferStore from './transfers.store.ts';

/**
 * Orders coin from the gas wallet for all pending transfers of a wallet. One order per address at a time: the next one
 * waits until this one is final. An order takes at most half of the gas wallet; otherwise one address with many
 * transfers could block all others until the wallet is refilled. The gas wallet itself is refilled manually.
 * @param short wei that the first of the transfers lacks
 */
export async function orderCoin(
  { db, chain, chainId, keys, log, atStep }: TransferEngine,
  wallet: Wallet,
  { fee, short }: { fee: Fee; short: bigint },
): Promise<void> {
  if (wallet.role === 'gas') {
    log.error({ wallet: wallet.address, short: short.toString() }, 'the gas wallet has no coin left');
    return;
  }
  const address = keys.addressOf({ role: 'gas', keyIndex: 0 });
  const most = (await chain.coinOf(address)) / 2n;
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    const planned = BigInt(await transferStore.countPlanned(tx, wallet.id));
    const needed = planned * TRANSFER_GAS * fee.maxFee * TOPUP_ROOM;
    const affordable = needed < most ? needed : most;
    const gasWalletId = await walletStore.ensureGasWallet(tx, chainId, address);
    await transferStore.insertTopups(tx, gasWalletId, [
      { address: wallet.address, wei: affordable > short ? affordable : short },
    ]);
  });
  atStep?.('topup_ordered');
}
