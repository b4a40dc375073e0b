import { replacementFee, replacementOf } from '@copydesk/domain/payouts';
import type { Attempt, SentTransfer } from '../../../../core/transfers/transfer.ts';
import { holdTransferGate, isStopped } from '../../../../core/transfers/transfer-gate.store.ts';
import type { Fee } from '../../../../integrations/chain/chain-sender.ts';
import { WHOLE_SCOPE } from '../../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../../platform/work/worker-actor.ts';
import type { TransferEngine } from '../engine.ts';
import * as walletStore from '../sending-wallets.store.ts';
import * as attemptStore from '../signing/attempts.store.ts';
import { maySign } from '../signing/kept.ts';
import { orderCoin } from '../signing/order-coin.ts';
import { CANCEL_GAS, currentFee, signTransfer } from '../signing/sign-transfer.ts';
import * as transferStore from '../transfers.store.ts';

/**
 * Signs slow transfers again, and those whose fee no server takes: the same nonce, recipient and amount with a higher fee, so only one attempt can be mined.
 * For a cancelled transfer, the nonce is spent on an empty transaction instead. While payments are stopped, that is all that
 * is signed.
 * @param isNext whether this nonce is next on the chain; later ones cannot be mined before it
 * @returns hashes of the stored transactions to send
 */
export async function replaceStuck(
  engine: TransferEngine,
  waiting: readonly SentTransfer[],
  isNext: (transfer: SentTransfer) => boolean,
): Promise<string[]> {
  const { now, stuckMs, maxFeeWei, log, db } = engine;
  const before = now().getTime() - stuckMs;
  const signedInstead = (transfer: SentTransfer, hasStop: boolean) => {
    const newest = transfer.attempts.at(-1);
    if (!newest) return null;
    return replacementOf({
      isCancelAsked: transfer.isCancelAsked,
      isNewestCancel: newest.isCancel,
      isUnderpriced: newest.refused?.because === 'fee_too_low',
      isOld: newest.createdAt.getTime() <= before,
      isNext: isNext(transfer),
      isStopped: hasStop,
    });
  };
  const wanted = waiting.filter((transfer) => signedInstead(transfer, false) !== null);
  if (wanted.length === 0 || !(await maySign(engine))) return [];
  const hasStop = await db.read(WHOLE_SCOPE, isStopped);
  const current = await currentFee(engine);
  const hashes: string[] = [];
  for (const transfer of wanted) {
    const newest = transfer.attempts.at(-1) as Attempt;
    const fee = replacementFee(newest.fee, current, maxFeeWei);
    if (!fee) {
      log.warn({ hash: newest.hash }, 'a replacement exceeds the fee limit');
      continue;
    }
    const instead = signedInstead(transfer, hasStop);
    if (instead === null) continue;
    const isCancel = instead === 'cancel';
    if (!isCancel && !(await isPaidFor(engine, transfer, newest, fee))) continue;
    const signed = await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
      const wallet = await walletStore.lockWallet(tx, transfer.wallet.id);
      if (!wallet || wallet.isFrozen) return null;
      // Another worker may have replaced it, or it has ended meanwhile.
      if (!(await transferStore.lockTransfers(tx, [transfer.id], 'sent')).has(transfer.id)) return null;
      if ((await attemptStore.countAttempts(tx, transfer.id)) !== newest.attempt) return null;
      if (!isCancel && !(await holdTransferGate(tx))) return null;
      const again = await signTransfer(engine, transfer.wallet, transfer, {
        nonce: transfer.nonce,
        attempt: newest.attempt + 1,
        fee,
        gasLimit: isCancel ? CANCEL_GAS : newest.gasLimit,
        isCancel,
      });
      await attemptStore.insertSigned(tx, transfer.wallet.id, [again], now());
      return again;
    });
    if (!signed) continue;
    engine.atStep?.('replaced');
    log.info({ hash: signed.hash, instead: newest.hash, isCancel }, 'a transaction was signed again');
    hashes.push(signed.hash);
  }
  return hashes;
}

/** Servers refuse transactions without enough coin. In that case coin is ordered and the earlier attempt remains. */
async function isPaidFor(
  engine: TransferEngine,
  transfer: SentTransfer,
  { fee: before, gasLimit }: Attempt,
  fee: Fee,
): Promise<boolean> {
  const [coin, { committedWei }] = await Promise.all([
    engine.chain.coinOf(transfer.wallet.address),
    engine.db.read(WHOLE_SCOPE, (tx) => walletStore.findWalletLoad(tx, transfer.wallet.id, transfer.nonce)),
  ]);
  const short = committedWei + gasLimit * (fee.maxFee - before.maxFee) - coin;
  if (short <= 0n) return true;
  await orderCoin(engine, transfer.wallet, { fee, short });
  return false;
}
