import { WORKER_ACTOR } from '../../../platform/jobs/worker-actor.ts';
import type { PayoutEngine } from './engine.ts';
import { freezeWallet, type Wallet } from './transfers.store.ts';

const ALL = { kind: 'all' } as const;

/** Stops a wallet and says so: what the chain tells does not agree with what was signed here. */
export async function freeze(
  { db, log, now }: Pick<PayoutEngine, 'db' | 'log' | 'now'>,
  wallet: Pick<Wallet, 'id' | 'address' | 'role'>,
  { because, chainNonce }: { because: string; chainNonce: number },
): Promise<void> {
  const isNew = await db.write(ALL, WORKER_ACTOR, async (tx) => {
    const frozen = await freezeWallet(tx, { walletId: wallet.id, because, chainNonce, at: now() });
    if (frozen)
      tx.audit({
        action: 'wallet.frozen',
        target: { kind: 'wallet', id: wallet.id },
        after: { address: wallet.address, because, chain_nonce: chainNonce },
      });
    return frozen;
  });
  if (isNew)
    log.error({ wallet: wallet.address, because }, 'a wallet is frozen until a person has looked at it');
}
