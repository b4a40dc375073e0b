import { consolidated, distributed, type LedgerSource } from '@copydesk/domain/ledger';
import { sql } from 'kysely';
import { groupOpenReservations } from '../../../core/ledger/reservations.views.ts';
import type { EndedTransfer, Transfer } from '../../../core/transfers/transfer.ts';
import type {
  AbandonedTransfer,
  TransferPurpose,
  TransferPurposes,
} from '../../../core/transfers/transfer-purpose.ts';
import { detachFailed, detachStuck } from '../consolidations/detach-stuck.ts';
import * as store from '../payouts.store.ts';
import { listShares, recordSharesPaid } from '../shares.store.ts';
import { distributionActs, isAllowedAboveMaximum, whyNoConsolidation, whyNoPayout } from './payout-facts.ts';

const payoutIdsOf = (transfers: readonly Pick<AbandonedTransfer, 'subjectId'>[]) =>
  transfers.flatMap(({ subjectId }) => subjectId ?? []);
const idsOf = (transfers: readonly { id: string }[]) => transfers.map(({ id }) => id);

/** Empties a deposit address into the community's wallet, for the payouts of several recipients. */
const consolidation: TransferPurpose = {
  whyNotBacked: whyNoConsolidation,
  goesTo: 'own_wallet',
  beforeSigning: detachStuck,

  async journalsOf(tx, transfers) {
    const reserved = await groupOpenReservations(tx, 'transfer', idsOf(transfers));
    return transfers.map(({ id, communityId, units, wallet }) => ({
      draft: consolidated(communityId as string, [{ traderId: wallet.ownerId, units }], {
        type: 'transfer',
        id,
      }),
      reservationIds: reserved.get(id) ?? [],
    }));
  },

  async onEnded(tx, ended, context) {
    const [final, failed] = divide(ended);
    if (final.length > 0) await store.moveConsolidated(tx, idsOf(final));
    if (failed.length === 0) return;
    await detachFailed(tx, context, idsOf(failed));
    await store.failConsolidated(tx, idsOf(failed), 'consolidation_reverted');
  },

  onAbandoned: (tx, transfers, problem) => store.failConsolidated(tx, idsOf(transfers), problem),
};

/** Pays one recipient out of the community's wallet. */
const payout: TransferPurpose = {
  whyNotBacked: whyNoPayout,
  audited: distributionActs,
  goesTo: 'others',
  subjectKind: 'payout',

  /** Ready when all consolidations are in final blocks; a failed payout needs review first. */
  isReady: sql`(
    EXISTS (SELECT FROM payout o WHERE o.id = i.payout_id AND o.status <> 'failed')
    AND NOT EXISTS (
      SELECT FROM payable p LEFT JOIN transfer c ON c.id = p.consolidation_id
      WHERE p.payout_id = i.payout_id AND c.state IS DISTINCT FROM 'final'))`,

  isAllowedOnce: isAllowedAboveMaximum,

  onSigned: (tx, transfers) => store.recordDistributing(tx, payoutIdsOf(transfers)),

  async journalsOf(tx, transfers) {
    const ids = payoutIdsOf(transfers);
    const reserved = await groupOpenReservations(tx, 'payout', ids);
    const shares = Map.groupBy(await listShares(tx, ids), ({ payoutId }) => payoutId);
    return transfers.map((transfer) => {
      const source = sourceOf(transfer);
      return {
        draft: distributed(transfer.communityId as string, shares.get(source.id) ?? [], source),
        reservationIds: reserved.get(source.id) ?? [],
      };
    });
  },

  async onEnded(tx, ended) {
    const [final] = divide(ended);
    await recordSharesPaid(tx, payoutIdsOf(final));
    const ends = ended.map(({ transfer, attempt: { hash }, state }) => ({
      payoutId: sourceOf(transfer).id,
      hash,
      state,
    }));
    await store.recordPaid(
      tx,
      ends.filter(({ state }) => state === 'final'),
    );
    await store.recordNothingMoved(
      tx,
      ends.filter(({ state }) => state !== 'final'),
    );
  },

  onAbandoned: (tx, transfers, problem) =>
    store.failPayouts(tx, payoutIdsOf(transfers), 'moved_nothing', problem),
};

/** The transfer purposes of payouts, for the engine. */
export const PAYOUT_PURPOSES = {
  consolidate: consolidation,
  distribute: payout,
} satisfies Partial<TransferPurposes>;

/** The ledger source of a transfer to a recipient is its payout. */
function sourceOf({ id, subjectId }: Pick<Transfer, 'id' | 'subjectId'>): LedgerSource {
  if (subjectId === null) throw new Error(`transfer ${id} pays no payout`);
  return { type: 'payout', id: subjectId };
}

function divide(ended: readonly EndedTransfer[]) {
  const transfersOf = (isFinal: boolean) =>
    ended.flatMap(({ transfer, state }) => ((state === 'final') === isFinal ? [transfer] : []));
  return [transfersOf(true), transfersOf(false)] as const;
}
