import type { OrderContent } from '@copydesk/domain/access';
import { type CancelReason, refuseCancelling } from '@copydesk/domain/exchange-bot';
import { invoiceCancelled } from '@copydesk/domain/ledger';
import { unitsToDecimal } from '@copydesk/domain/money';
import { requireNothingOnItsWay } from '../../../../core/chain/on-its-way.views.ts';
import { postJournals } from '../../../../core/ledger/ledger.service.ts';
import { takeBack } from '../../../../core/ledger/reversals.service.ts';
import { listPaymentJournals } from '../../../../core/ledger/reversals.views.ts';
import type { OrderAct } from '../../../../core/transfers/orders/order-act.ts';
import { GONE, writeOffContent } from '../../../../core/transfers/orders/write-off.ts';
import { type Database, WHOLE_SCOPE, type WriteTx } from '../../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../../platform/work/worker-actor.ts';
import { cancelInvoices, endPartPaid, type LockedSale, lockSales } from './sale-invoices.store.ts';
import { listExpired, saveCancelled } from './sales.store.ts';

/** Orders per transaction, few enough to release their locks quickly. */
const BATCH = 200;

/**
 * Cancels locked orders that can be cancelled: nothing is owed any more, and a coupon's use is given back.
 * The part that was paid of an order ended by a person becomes its buyer's credit.
 * @throws Refusal `payment_on_its_way`, unless the orders have expired
 */
export async function cancelSales(
  tx: WriteTx,
  sales: readonly LockedSale[],
  because: CancelReason,
  reason?: string,
): Promise<void> {
  if (sales.length === 0) return;
  if (because !== 'expired')
    await requireNothingOnItsWay(
      tx,
      sales.map(({ invoiceId }) => invoiceId),
    );
  const partPaid = sales.filter(({ paidUnits }) => paidUnits > 0n);
  const ids = sales.filter(({ paidUnits }) => paidUnits === 0n).map(({ invoiceId }) => invoiceId);
  for (const { invoiceId } of partPaid) {
    // Newest first, so that no journal is reversed before a later one that builds on it.
    for (const journalId of await listPaymentJournals(tx, invoiceId)) await takeBack(tx, journalId);
    await endPartPaid(tx, invoiceId);
  }
  await postJournals(
    tx,
    sales.map((sale) => ({ draft: invoiceCancelled(sale, { paidUnits: 0n }) })),
  );
  await cancelInvoices(tx, ids);
  await saveCancelled(tx, ids, because);
  for (const { invoiceId: id, paidUnits } of sales)
    tx.audit({
      action: 'invoice.cancelled',
      target: { kind: 'invoice', id },
      before: { status: 'pending', ...(paidUnits > 0n && { paid_units: paidUnits.toString() }) },
      after: {
        status: 'cancelled',
        because,
        ...(paidUnits > 0n && { credit_units: paidUnits.toString() }),
        ...(reason && { reason }),
      },
    });
}

/** The facts of an order that makes the paid part of this sale its buyer's credit. */
export const creditFacts = ({ paidUnits }: LockedSale): Record<string, string> =>
  paidUnits > 0n ? { paid_becomes_credit: `${unitsToDecimal(paidUnits)} USDT` } : {};

const lockCancellable = async (tx: WriteTx, { lines, facts }: OrderContent) => {
  const isPaidToCredit = 'paid_becomes_credit' in facts;
  const sales = await lockSales(
    tx,
    lines.map(({ subjectId }) => subjectId),
  );
  return sales.filter((sale) => refuseCancelling(sale, { isPaidToCredit }) === null);
};

/** Cancelling a sale by hand, above what one person may write off. */
export const saleCancelledAct: OrderAct = {
  gone: GONE,
  async lock(tx, { seen }) {
    await lockCancellable(tx, seen);
  },
  async present(tx, { seen }) {
    const sales = await lockCancellable(tx, seen);
    return writeOffContent(tx, sales, seen.facts.reason, sales[0] && creditFacts(sales[0]));
  },
  async carryOut(tx, { seen }) {
    await cancelSales(tx, await lockCancellable(tx, seen), 'staff', seen.facts.reason);
  },
};

/** Cancels the orders that were not paid in time. One of which a part was paid stays open. */
export async function expireSales({ db, now }: { db: Database; now: () => Date }): Promise<number> {
  for (let expired = 0; ; ) {
    const { found, cancelled } = await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
      const ids = await listExpired(tx, now(), BATCH);
      // A payment may have arrived since the list was read, so the locked rows decide.
      const sales = (await lockSales(tx, ids)).filter((sale) => refuseCancelling(sale) === null);
      await cancelSales(tx, sales, 'expired');
      return { found: ids.length, cancelled: sales.length };
    });
    expired += cancelled;
    if (found < BATCH || cancelled === 0) return expired;
  }
}
