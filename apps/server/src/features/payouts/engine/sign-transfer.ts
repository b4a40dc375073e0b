import { keccak256 } from 'viem';
import { callOf, type Fee } from '../../../integrations/chain/chain-sender.ts';
import type { PayoutEngine } from './engine.ts';
import type { SignedTransfer, Transfer, Wallet } from './transfers.store.ts';

/** Gas of a transfer of nothing to oneself. */
export const CANCEL_GAS = 21_000n;

/**
 * Signs one transaction of a wallet: of a transfer, or of nothing in its place.
 * @throws when the wallet is not the one that the seed says: an address in the database is not taken for granted
 */
export async function signTransfer(
  { keys, chainId }: Pick<PayoutEngine, 'keys' | 'chainId'>,
  wallet: Wallet,
  transfer: Transfer,
  terms: { nonce: number; attempt: number; fee: Fee; gasLimit: bigint; isCancel: boolean },
): Promise<SignedTransfer> {
  const account = keys.at(wallet);
  if (account.address.toLowerCase() !== wallet.address.toLowerCase())
    throw new Error(`the wallet ${wallet.address} is not of this seed`);
  const { nonce, attempt, fee, gasLimit, isCancel } = terms;
  const call = isCancel
    ? callOf({ to: wallet.address, token: null, units: 0n })
    : callOf({ to: transfer.to, token: transfer.token, units: transfer.units });
  if (!account.signTransaction) throw new Error('a wallet signs transactions');
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId,
    nonce,
    gas: gasLimit,
    maxFeePerGas: fee.maxFee,
    maxPriorityFeePerGas: fee.priorityFee,
    ...call,
  });
  return { transferId: transfer.id, nonce, attempt, isCancel, hash: keccak256(raw), raw, fee, gasLimit };
}
