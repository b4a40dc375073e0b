import { randomUUIDv7 } from 'node:crypto';
import { ledgerAccount } from '@copydesk/domain';
import { reserveAll, voidReservations } from '../../../core/ledger/reservations.service.ts';
import { listOpenReservations } from '../../../core/ledger/reservations.views.ts';
import { openCommunityWallet, openDepositWallets } from '../../../core/transfers/open-wallets.store.ts';
import { orderTransfers } from '../../../core/transfers/ordered-transfers.store.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { ApiError } from '../../../platform/http/api-error.ts';
import { type Consolidation, listConsolidations, ofPayouts } from '../consolidations/consolidations.views.ts';
import { startPayouts } from '../payouts.store.ts';
import type { PlanDeps } from '../plan-deps.ts';
import { backPayables } from '../shares.store.ts';
import { translateOverdraft } from './deposits-missing.ts';
import * as store from './planned-transfers.store.ts';

/**
 * Orders all outstanding transfers for these payouts of a community: consolidations from deposit addresses into its
 * wallet, and payments from the wallet to recipients. It reserves the consolidated amounts in the ledger. The worker
 * makes the transfers. The caller has locked the community.
 * @throws ApiError `wallet_not_ready`, `deposits_missing`
 * @returns the newly ordered consolidations
 */
export async function planTransfers(
  tx: WriteTx,
  deps: PlanDeps,
  communityId: string,
  payoutIds: readonly string[],
): Promise<Consolidation[]> {
  const communityWallet = await openCommunityWallet(tx, deps.chainId, communityId);
  if (!communityWallet) throw new ApiError('wallet_not_ready');
  const place = { communityId, communityWallet, tokenAddress: deps.tokenAddress };
  const consolidations = await listConsolidations(tx, communityId, ofPayouts(payoutIds));
  if (consolidations.length > 0) await planConsolidations(tx, deps, place, consolidations);
  await orderPayments(tx, place, payoutIds);
  await startPayouts(tx, payoutIds);
  return consolidations;
}

async function planConsolidations(
  tx: WriteTx,
  { chainId }: PlanDeps,
  place: store.TransferPlace,
  consolidations: readonly Consolidation[],
): Promise<void> {
  const wallets = await openDepositWallets(
    tx,
    chainId,
    consolidations.map(({ traderId }) => traderId),
  );
  const without = consolidations.length - wallets.size;
  if (without > 0)
    throw new ApiError('deposits_missing', {
      message: `${without === 1 ? '1 trader has' : `${without} traders have`} no deposit address, so the tokens that ${without === 1 ? 'it' : 'they'} paid cannot be consolidated`,
    });
  const planned = consolidations.map((consolidation) => ({
    ...consolidation,
    id: randomUUIDv7(),
    walletId: wallets.get(consolidation.traderId) as string,
  }));
  await orderTransfers(
    tx,
    planned.map(({ id, walletId, units }) => ({
      ...{ id, walletId, units, subjectId: null },
      kind: 'consolidate' as const,
      communityId: place.communityId,
      to: place.communityWallet.address,
      token: place.tokenAddress,
    })),
  );
  await backPayables(tx, planned);
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
async function orderPayments(
  tx: WriteTx,
  { communityId, communityWallet, tokenAddress }: store.TransferPlace,
  payoutIds: readonly string[],
): Promise<void> {
  const unordered = await store.listUnordered(tx, payoutIds);
  await orderTransfers(
    tx,
    unordered.map(({ payoutId, to, units }) => ({
      ...{ id: randomUUIDv7(), communityId, to, units },
      kind: 'distribute' as const,
      walletId: communityWallet.id,
      subjectId: payoutId,
      token: tokenAddress,
    })),
  );
}
