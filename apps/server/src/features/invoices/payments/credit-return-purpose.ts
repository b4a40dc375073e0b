import { creditReturned } from '@copydesk/domain/ledger';
import { sql } from 'kysely';
import { voidReservations } from '../../../core/ledger/reservations.service.ts';
import { groupOpenReservations, listOpenReservations } from '../../../core/ledger/reservations.views.ts';
import { lockTraders } from '../../../core/traders/lock-traders.store.ts';
import { lockCommunities } from '../../../core/transfers/communities.store.ts';
import { voidUnsignable } from '../../../core/transfers/ordered-transfers.store.ts';
import { actsOfOrder, isStanding, isTooMuchAlone } from '../../../core/transfers/orders/standing.views.ts';
import type { PurposeContext, TransferPurpose } from '../../../core/transfers/transfer-purpose.ts';
import { WHOLE_SCOPE, type WriteTx } from '../../../platform/db/database.ts';
import { retryConflicts } from '../../../platform/db/retry-conflicts.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import * as store from './credit-returns.store.ts';
import { applyOpenPayments } from './payments.service.ts';

/**
 * Which fact allows the transfer `i` out of `chain_wallet w`: a valid order for this payment, address and
 * amount, and a deposit of which invoices and other returns have left at least this amount.
 */
const whyNotBacked = sql`(
  SELECT CASE
    WHEN c.transfer_id IS NULL THEN 'no_fact'
    WHEN c.state <> 'sending' THEN 'wrong_state'
    WHEN w.role <> 'deposit' OR w.owner_id <> p.trader_id THEN 'wrong_wallet'
    WHEN lower(i.to_address) IS DISTINCT FROM lower(t.external_wallet_address) THEN 'wrong_recipient'
    WHEN i.amount_units <> c.amount_units THEN 'amount_differs'
    WHEN o.act <> 'credit_returned' OR NOT ${isStanding} OR NOT EXISTS (
      SELECT FROM money_order_line l WHERE l.order_id = o.id AND l.subject_id = p.id
        AND l.amount_units = c.amount_units AND lower(l.to_address) = lower(i.to_address)) THEN 'not_ordered'
    WHEN ${isTooMuchAlone} THEN 'over_own_limit'
    WHEN NOT EXISTS (SELECT FROM deposit d WHERE d.payment_id = p.id AND d.trader_id = p.trader_id
      AND d.amount_units = p.amount_units) THEN 'no_deposit'
    WHEN p.amount_units < coalesce((SELECT sum(ip.amount_units) FROM invoice_payment ip WHERE ip.payment_id = p.id), 0)
      + (SELECT sum(r.amount_units) FROM credit_return r WHERE r.payment_id = p.id AND r.state <> 'undone')
      THEN 'not_covered' END
  FROM (SELECT) one LEFT JOIN credit_return c ON c.transfer_id = i.id
  LEFT JOIN payment p ON p.id = c.payment_id LEFT JOIN trader t ON t.id = p.trader_id
  LEFT JOIN money_order o ON o.id = c.order_id)`;

const idsOf = (transfers: readonly { id: string }[]) => transfers.map(({ id }) => id);

/** Makes what was not sent credit again, and pays open invoices with it. */
async function undo(tx: WriteTx, transferIds: readonly string[]): Promise<void> {
  const traderIds = (await store.listReturns(tx, transferIds)).map(({ traderId }) => traderId);
  if (traderIds.length === 0) return;
  await lockTraders(tx, [...new Set(traderIds)]);
  await voidReservations(tx, await listOpenReservations(tx, 'transfer', transferIds));
  const undone = await store.recordUndone(tx, transferIds);
  await applyOpenPayments(tx, [...new Set(undone.map(({ traderId }) => traderId))]);
  for (const { traderId, transferId } of undone)
    tx.audit({
      action: 'payment.credit_return_undone',
      target: { kind: 'trader', id: traderId },
      after: { transfer: transferId },
    });
}

/**
 * Undoes returns that a review or a missing fact ended, and gives up those that cannot be signed, so that
 * their owners get the credit back. The worker does this: the login of the API cannot write the books of
 * payments.
 */
async function undoUnsent({ db }: PurposeContext): Promise<boolean> {
  const unsent = await db.read(WHOLE_SCOPE, (tx) => store.listUnsent(tx));
  for (const { id, communityId } of unsent)
    await retryConflicts(() =>
      db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
        await lockCommunities(tx, [communityId]);
        await voidUnsignable(tx, [id]);
        await undo(tx, await store.listUnmoved(tx, [id]));
      }),
    );
  return false;
}

/** Sends a trader's credit from its deposit address back to it. */
export const creditReturnPurpose: TransferPurpose = {
  whyNotBacked,
  audited: actsOfOrder(sql`JOIN credit_return c ON c.order_id = o.id WHERE c.transfer_id = i.id`),
  goesTo: 'others',
  beforeSigning: undoUnsent,

  async journalsOf(tx, transfers) {
    const ids = idsOf(transfers);
    const reserved = await groupOpenReservations(tx, 'transfer', ids);
    return (await store.listReturns(tx, ids)).map(({ transferId, traderId, units }) => ({
      draft: creditReturned(traderId, units, { type: 'transfer', id: transferId }),
      reservationIds: reserved.get(transferId) ?? [],
    }));
  },

  async onEnded(tx, ended) {
    const [sent, failed] = [true, false].map((isFinal) =>
      idsOf(ended.flatMap(({ transfer, state }) => ((state === 'final') === isFinal ? [transfer] : []))),
    );
    await store.recordSent(tx, sent as string[]);
    await undo(tx, failed as string[]);
  },
};
