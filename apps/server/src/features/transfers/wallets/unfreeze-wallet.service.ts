import { REVIEWED, TRANSFER_MOVES } from '@copydesk/domain/payouts';
import { lockCommunities } from '../../../core/transfers/communities.store.ts';
import {
  allPurposes,
  auditTargetOf,
  type TransferPurposes,
} from '../../../core/transfers/transfer-purpose.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import * as store from './frozen-wallets.store.ts';

/**
 * Unfreezes a wallet. Nonces that the chain has seen and we have not signed are never assigned. It also ends suspected
 * transfers: those whose nonce is spent without a known transaction, and those that moved nothing. They paid no one;
 * their purposes decide the outcome.
 * @param reason the finding of the review
 * @throws Refusal `not_found`, `wallet_not_frozen`
 */
export async function unfreezeWallet(
  tx: WriteTx,
  purposes: TransferPurposes,
  id: string,
  reason: string,
): Promise<void> {
  const wallet = await store.findWalletForUpdate(tx, id);
  if (!wallet) throw new Refusal('not_found');
  if (wallet.frozenBecause === null) throw new Refusal('wallet_not_frozen');
  await lockCommunities(tx, await store.listSuspectedCommunities(tx, id));
  const suspected = await store.lockSuspected(tx, id);
  for (const [problem, event] of Object.entries(REVIEWED))
    await abandon(tx, purposes, suspected, { problem, state: TRANSFER_MOVES[event].to, reason });
  const nextNonce = await store.unfreeze(tx, id);
  tx.audit({
    action: 'wallet.unfrozen',
    target: { kind: 'wallet', id },
    before: { address: wallet.address, because: wallet.frozenBecause, next_nonce: wallet.nextNonce },
    after: { reason, next_nonce: nextNonce },
  });
}

async function abandon(
  tx: WriteTx,
  purposes: TransferPurposes,
  suspected: readonly store.SuspectedTransfer[],
  { problem, state, reason }: { problem: string; state: 'cancelled' | 'reverted'; reason: string },
): Promise<void> {
  const transfers = suspected.filter((transfer) => transfer.problem === problem);
  if (transfers.length === 0) return;
  await store.endSuspected(
    tx,
    transfers.map(({ id }) => id),
    state,
  );
  for (const [kind, purpose] of allPurposes(purposes)) {
    const ofKind = transfers.filter((transfer) => transfer.kind === kind);
    if (ofKind.length > 0) await purpose.onAbandoned?.(tx, ofKind, problem);
  }
  for (const transfer of transfers)
    tx.audit({
      action: `transfer.${state}`,
      target: auditTargetOf(purposes, transfer),
      after: { kind: transfer.kind, because: problem, reason, to: transfer.to, units: transfer.units },
    });
}
