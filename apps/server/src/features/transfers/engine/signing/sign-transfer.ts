import { mostOf } from '@copydesk/domain/money';
import type { Transfer, Wallet } from '../../../../core/transfers/transfer.ts';
import type { Fee } from '../../../../integrations/chain/chain-sender.ts';
import { WHOLE_SCOPE } from '../../../../platform/db/database.ts';
import type { TransferEngine } from '../engine.ts';
import { findTipFloor } from '../heartbeat.store.ts';
import type { SignedTransfer } from './attempts.store.ts';

/** Gas of a coin transfer, or of an empty one to oneself. */
export const CANCEL_GAS = 21_000n;

/**
 * Signs one transaction of a wallet: a transfer, or an empty transaction in its place.
 * @throws when the wallet does not match the seed: an address in the database is always checked
 */
export async function signTransfer(
  { keys, chainId }: Pick<TransferEngine, 'keys' | 'chainId'>,
  wallet: Wallet,
  transfer: Transfer,
  terms: { nonce: number; attempt: number; fee: Fee; gasLimit: bigint; isCancel: boolean },
): Promise<SignedTransfer> {
  const { nonce, attempt, fee, gasLimit, isCancel } = terms;
  if (keys.addressOf(wallet).toLowerCase() !== wallet.address.toLowerCase())
    throw new Error(`the wallet ${wallet.address} is not of this seed`);
  const move = isCancel ? { to: wallet.address, token: null, units: 0n } : transfer;
  const signed = await keys.sign(wallet, move, { chainId, nonce, fee, gasLimit });
  return { transferId: transfer.id, nonce, attempt, isCancel, fee, gasLimit, ...signed };
}

/**
 * The fee to sign with: what servers suggest, with a tip that they take. A server may suggest less than the minimum of
 * its own pool.
 */
export async function currentFee({ chain, db, chainId, now, minTipWei }: TransferEngine): Promise<Fee> {
  const [suggested, learned] = await Promise.all([
    chain.currentFee(),
    db.read(WHOLE_SCOPE, (tx) => findTipFloor(tx, chainId, now())),
  ]);
  const priorityFee = [learned, minTipWei].reduce(mostOf, suggested.priorityFee);
  return { priorityFee, maxFee: suggested.maxFee + (priorityFee - suggested.priorityFee) };
}
