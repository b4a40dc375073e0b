import { randomUUIDv7 } from 'node:crypto';
import { ledgerAccount } from '@copydesk/domain/ledger';
import { reserveAll, voidReservations } from '../../../core/ledger/reservations.service.ts';
import { listOpenReservations } from '../../../core/ledger/reservations.views.ts';
import { openCommunityWallet, openDepositWallets } from '../../../core/transfers/open-wallets.store.ts';
import { orderConsolidations, orderPayouts } from '../../../core/transfers/ordered-transfers.store.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { type Consolidation, listConsolidations, ofPayouts } from '../consolidations/consolidations.views.ts';
import { startPayouts } from '../payouts.store.ts';
import type { PlanDeps } from '../plan-deps.ts';
import { translateOverdraft } from './deposits-missing.ts';
import * as store from './planned-transfers.store.ts';

/**
 * Orders all outstanding transfers for these payouts of a community: consolidations from deposit addresses into its
 * wallet, and payments from the wallet to recipients. It reserves the consolidated amounts in the ledger. The worker
 * makes the transfers. The caller has locked the community.
 * @throws Refusal `wallet_not_ready`, `deposits_missing`
 * @returns the newly ordered consolidations
 */
export async function orderPayoutTransfers(
  tx: WriteTx,
  deps: PlanDeps,
  communityId: string,
  payoutIds: readonly string[],
): Promise<Consolidation[]> {
  const communityWallet = await openCommunityWallet(tx, deps.chainId, communityId);
  if (!communityWallet) throw new Refusal('wallet_not_ready');
  const consolidations = await listConsolidations(tx, [communityId], ofPayouts(payoutIds));
  if (consolidations.length > 0) await consolidate(tx, deps, consolidations);
  await orderPayments(tx, deps, payoutIds);
  await startPayouts(tx, payoutIds);
  return consolidations;
}

async function consolidate(
  tx: WriteTx,
  deps: PlanDeps,
  consolidations: readonly Consolidation[],
): Promise<void> {
  const wallets = await openDepositWallets(
    tx,
    deps.chainId,
    consolidations.map(({ traderId }) => traderId),
  );
  const without = consolidations.length - wallets.size;
  if (without > 0)
    throw new Refusal('deposits_missing', {
      message: `${without === 1 ? '1 trader has' : `${without} traders have`} no deposit address, so the tokens that ${without === 1 ? 'it' : 'they'} paid cannot be consolidated`,
    });
  const planned = consolidations.map((consolidation) => ({
    ...consolidation,
    id: randomUUIDv7(),
  }));
  const shares = planned.reduce((count, { payableIds }) => count + payableIds.length, 0);
  if ((await orderConsolidations(tx, deps, planned)) !== shares)
    throw new Error('a share was consolidated meanwhile: its community was not locked');
  // What earlier consolidations had reserved is free for these.
  const failed = [...new Set(planned.flatMap(({ failedIds }) => failedIds))];
  await voidReservations(tx, await listOpenReservations(tx, 'transfer', failed));
  await translateOverdraft(
    reserveAll(
      tx,
      planned.map(({ id, traderId, units }) => ({
        source: { type: 'transfer', id },
        account: ledgerAccount.depositWallet(traderId),
        units,
      })),
    ),
  );
}

/** Orders the transfer of each payout to its recipient, unless one is under way. */
async function orderPayments(tx: WriteTx, deps: PlanDeps, payoutIds: readonly string[]): Promise<void> {
  const unordered = await store.listUnordered(tx, payoutIds);
  await orderPayouts(
    tx,
    deps,
    unordered.map((payoutId) => ({ id: randomUUIDv7(), payoutId })),
  );
}
