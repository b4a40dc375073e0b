import type { Transfer, Wallet } from '../../../core/transfers/transfer.ts';
import type { Fee } from '../../../integrations/chain/chain-sender.ts';
import type { SignedTransfer } from './attempts.store.ts';
import type { TransferEngine } from './engine.ts';

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
