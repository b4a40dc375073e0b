import type { WriteTx } from '../../platform/db/database.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import { failConsolidated, lockCommunities } from './engine/concluded-transfers.store.ts';
import * as store from './wallets.store.ts';

/**
 * Lets a frozen wallet send again. Nonces that the chain has seen and we have not signed are never handed out. Transfers
 * of which the chain knows nothing although their nonces are spent, or that did nothing, end with it, without having paid
 * anybody: their payouts have failed, and are paid again when a person says so.
 * @param reason what a person has found
 * @throws ApiError `not_found`, `wallet_not_frozen`
 */
export async function unfreezeWallet(tx: WriteTx, id: string, reason: string): Promise<void> {
  const wallet = await store.findWalletForUpdate(tx, id);
  if (!wallet) throw new ApiError('not_found');
  if (wallet.frozenBecause === null) throw new ApiError('wallet_not_frozen');
  await lockCommunities(tx, await store.listSuspectedCommunities(tx, id));
  const suspected = await store.lockSuspected(tx, id);
  await end(tx, suspected, { problem: 'foreign_transaction', state: 'cancelled', reason });
  await end(tx, suspected, { problem: 'nothing_moved', state: 'reverted', reason });
  const nextNonce = await store.unfreeze(tx, id);
  tx.audit({
    action: 'wallet.unfrozen',
    target: { kind: 'wallet', id },
    before: { address: wallet.address, because: wallet.frozenBecause, next_nonce: wallet.nextNonce },
    after: { reason, next_nonce: nextNonce },
  });
}

async function end(
  tx: WriteTx,
  suspected: readonly store.SuspectedTransfer[],
  { problem, state, reason }: { problem: string; state: 'cancelled' | 'reverted'; reason: string },
): Promise<void> {
  const transfers = suspected.filter((transfer) => transfer.problem === problem);
  if (transfers.length === 0) return;
  const ids = transfers.map((transfer) => transfer.id);
  await store.endSuspected(tx, ids, state);
  await failConsolidated(tx, ids, problem);
  await store.failPayouts(
    tx,
    transfers.flatMap(({ payoutId }) => payoutId ?? []),
    problem,
  );
  for (const { id, kind, payoutId, to, units } of transfers)
    tx.audit({
      action: `transfer.${state}`,
      target: payoutId ? { kind: 'payout', id: payoutId } : { kind: 'transfer', id },
      after: { kind, because: problem, reason, to, units },
    });
}
