import type { FreezeReason, PayoutProblem } from '@copydesk/domain/payouts';
import type { SentTransfer, Wallet } from '../../../core/transfers/transfer.ts';
import { WHOLE_SCOPE, type WriteTx } from '../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import type { TransferEngine } from './engine.ts';
import { freezeWallet, freezeWalletOf, lockWallet } from './sending-wallets.store.ts';
import { recordSuspicion } from './transfers.store.ts';

/**
 * Freezes a wallet and logs it: the chain disagrees with the transactions signed here. What a server of another chain
 * says is no disagreement.
 * @throws when a server is of another chain
 */
export async function freeze(
  { db, log, now, chain, chainId }: Freezing,
  wallet: FrozenWallet,
  { because, chainNonce }: Reason,
): Promise<void> {
  await chain.check(chainId);
  const isNew = await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    const frozen = await freezeWallet(tx, { walletId: wallet.id, because, chainNonce, at: now() });
    if (frozen) audit(tx, wallet, { because, chainNonce });
    return frozen;
  });
  if (isNew) logFreeze(log, wallet, because);
}

/**
 * The same for a suspected transfer. The suspicion is noted with the transfer, so the operator who unfreezes the wallet
 * has seen it. Does nothing when another worker has found its end meanwhile.
 */
export async function freezeFor(
  { db, log, now, chain, chainId }: Freezing,
  { id, wallet, problem: noted }: Pick<SentTransfer, 'id' | 'wallet' | 'problem'>,
  { because, chainNonce, problem }: Reason & { problem: PayoutProblem },
): Promise<void> {
  await chain.check(chainId);
  const isNew = await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    // The wallet is signing or being unfrozen: the suspicion is checked again later.
    if (!(await lockWallet(tx, wallet.id))) return false;
    const frozen = await freezeWalletOf(tx, id, { walletId: wallet.id, because, chainNonce, at: now() });
    if (frozen) audit(tx, wallet, { because, chainNonce });
    if (noted !== problem) await recordSuspicion(tx, id, problem);
    return frozen;
  });
  if (isNew) logFreeze(log, wallet, because);
}

type Freezing = Pick<TransferEngine, 'db' | 'log' | 'now' | 'chainId'> & {
  chain: Pick<TransferEngine['chain'], 'check'>;
};
type FrozenWallet = Pick<Wallet, 'id' | 'address' | 'role'>;
interface Reason {
  because: FreezeReason;
  chainNonce: number;
}

function audit(tx: WriteTx, { id, address }: FrozenWallet, { because, chainNonce }: Reason): void {
  tx.audit({
    action: 'wallet.frozen',
    target: { kind: 'wallet', id },
    after: { address, because, chain_nonce: chainNonce },
  });
}

function logFreeze(log: Freezing['log'], { address }: FrozenWallet, because: string): void {
  log.error({ wallet: address, because }, 'a wallet is frozen until reviewed');
}
