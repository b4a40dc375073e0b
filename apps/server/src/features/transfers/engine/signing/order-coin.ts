import { sizeTopup } from '@copydesk/domain/payouts';
import type { Wallet } from '../../../../core/transfers/transfer.ts';
import { TOPUP_ROOM, TRANSFER_GAS } from '../../../../core/transfers/transfer-gas.ts';
import type { Fee } from '../../../../integrations/chain/chain-sender.ts';
import { WHOLE_SCOPE } from '../../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../../platform/work/worker-actor.ts';
import type { TransferEngine } from '../engine.ts';
import * as walletStore from '../sending-wallets.store.ts';
import * as transferStore from '../transfers.store.ts';

const DAY_MS = 86_400_000;

/**
 * Orders coin from the gas wallet for all pending transfers of a wallet. One order per address at a time: the next one
 * waits until this one is final. An order takes at most half of the gas wallet; otherwise one address with many
 * transfers could block all others until the wallet is refilled. The gas wallet itself is refilled manually.
 * What the bounds of the worker do not allow waits.
 * @param short wei that the first of the transfers lacks
 * @returns why the transfers wait
 */
export async function orderCoin(
  { db, chain, chainId, keys, log, now, gasBounds, atStep }: TransferEngine,
  wallet: Wallet,
  { fee, short }: { fee: Fee; short: bigint },
): Promise<'waits_for_gas' | 'gas_wallet_empty' | 'gas_limit_reached'> {
  if (wallet.role === 'gas') {
    log.error({ wallet: wallet.address, short: short.toString() }, 'the gas wallet has no coin left');
    return 'gas_wallet_empty';
  }
  const address = keys.addressOf({ role: 'gas', keyIndex: 0 });
  const most = (await chain.coinOf(address)) / 2n;
  const since = new Date(now().getTime() - DAY_MS);
  const isAllowed = await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    // Under the lock of the sum: workers that order at once see each other's top-ups.
    const { wei: ordered, isOpen } = await transferStore.sumTopups(tx, { since, address: wallet.address });
    if (isOpen) return true;
    const planned = BigInt(await transferStore.countPlanned(tx, wallet.id));
    const needed = planned * TRANSFER_GAS * fee.maxFee * TOPUP_ROOM;
    const wei = sizeTopup({ needed, short, most }, gasBounds, ordered);
    if (wei === null) return false;
    const gasWalletId = await walletStore.ensureGasWallet(tx, chainId, address);
    await transferStore.insertTopups(tx, gasWalletId, [{ address: wallet.address, wei }]);
    return true;
  });
  if (!isAllowed) {
    log.warn({ wallet: wallet.address, short: short.toString() }, 'the bounds of gas allow no top-up now');
    return 'gas_limit_reached';
  }
  atStep?.('topup_ordered');
  return 'waits_for_gas';
}
