import { randomUUID } from 'node:crypto';
import { ledgerAccount } from '@copydesk/domain';
import type { WriteTx } from '../../platform/db/database.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import { listOpenReservations } from '../ledger/reservations.views.ts';
import { type Consolidation, listConsolidations, ofOperations } from './consolidations.views.ts';
import { missingIfOverdrawn } from './deposits-missing.ts';
import type { PlanDeps } from './payout-deps.ts';
import * as store from './planned-transfers.store.ts';
import { openCommunityWallet, openDepositWallets } from './wallets.store.ts';

/**
 * Orders all transfers that these operations of a community take and that are not ordered yet: deposit addresses are
 * emptied into its wallet, and recipients are paid out of it. What is to leave a deposit address is set aside in the
 * ledger. The worker takes it from here. The community is locked.
 * @throws ApiError `wallet_not_ready`, `deposits_missing`
 * @returns what is consolidated anew
 */
export async function planTransfers(
  tx: WriteTx,
  deps: PlanDeps,
  communityId: string,
  operationIds: readonly string[],
): Promise<Consolidation[]> {
  const communityWallet = await openCommunityWallet(tx, deps.chainId, communityId);
  if (!communityWallet) throw new ApiError('wallet_not_ready');
  const place = { communityId, communityWallet, tokenAddress: deps.tokenAddress };
  await forgetFailed(tx, deps, operationIds);
  const consolidations = await listConsolidations(tx, communityId, ofOperations(operationIds));
  if (consolidations.length > 0) await planConsolidations(tx, deps, place, consolidations);
  await store.insertPayments(tx, place, operationIds);
  await store.startOperations(tx, operationIds);
  return consolidations;
}

/** What an earlier transfer was to bring and did not: it came along with shares of others, which may still wait. */
async function forgetFailed(
  tx: WriteTx,
  { books }: PlanDeps,
  operationIds: readonly string[],
): Promise<void> {
  const failed = await store.listFailedConsolidations(tx, operationIds);
  if (failed.length === 0) return;
  await books.release(tx, await listOpenReservations(tx, 'chain_intent', failed));
  await store.forgetConsolidations(tx, failed);
}

async function planConsolidations(
  tx: WriteTx,
  { books, chainId }: PlanDeps,
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
      message: `${without === 1 ? '1 trader has' : `${without} traders have`} no deposit address that what ${without === 1 ? 'it' : 'they'} paid could come from`,
    });
  const planned = consolidations.map((consolidation) => ({
    ...consolidation,
    id: randomUUID(),
    walletId: wallets.get(consolidation.traderId) as string,
  }));
  await store.insertConsolidations(tx, place, planned);
  await missingIfOverdrawn(
    books.reserve(
      tx,
      planned.map(({ id, traderId, units }) => ({
        source: { type: 'chain_intent', id },
        account: ledgerAccount.depositWallet(traderId),
        units,
      })),
    ),
  );
}
