import type { Wallet } from '../../../core/transfers/transfer.ts';
import type { Fee } from '../../../integrations/chain/chain-sender.ts';
import { WORKER_ACTOR } from '../../../platform/jobs/worker-actor.ts';
import type { TransferEngine } from './engine.ts';
import * as walletStore from './sending-wallets.store.ts';
import * as transferStore from './transfers.store.ts';

const ALL = { kind: 'all' } as const;
/** The fee may rise until the coin has come. */
const ROOM = 2n;
/** Gas of a token transfer that meets new slots, with room. */
const TRANSFER_GAS = 90_000n;

/**
 * Orders coin from the gas wallet for all that a wallet has to send, once at a time for an address: the next order waits
 * until this one is final. Half of what the gas wallet has at most, or one address with much to send would wait for a
 * person, and all others behind it. The gas wallet itself is filled by people.
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
  await db.write(ALL, WORKER_ACTOR, async (tx) => {
    const planned = BigInt(await transferStore.countPlanned(tx, wallet.id));
    const needed = planned * TRANSFER_GAS * fee.maxFee * ROOM;
    const affordable = needed < most ? needed : most;
    const gasWalletId = await walletStore.ensureGasWallet(tx, chainId, address);
    await transferStore.insertTopups(tx, gasWalletId, [
      { address: wallet.address, wei: affordable > short ? affordable : short },
    ]);
  });
  atStep?.('topup_ordered');
}
