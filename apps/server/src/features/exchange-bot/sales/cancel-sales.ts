import { type CancelReason, invoiceCancelled, type OrderContent, refuseCancelling } from '@copydesk/domain';
import { postJournals } from '../../../core/ledger/ledger.service.ts';
import type { OrderAct } from '../../../core/orders/order-act.ts';
import { GONE, writeOffContent } from '../../../core/orders/write-off.ts';
import { type Database, WHOLE_SCOPE, type WriteTx } from '../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../platform/jobs/worker-actor.ts';
import { cancelInvoices, type LockedSale, lockSales } from './sale-invoices.store.ts';
import { listExpired, saveCancelled } from './sales.store.ts';

/** Orders per transaction, few enough to release their locks quickly. */
const BATCH = 200;

/** Cancels locked orders that can be cancelled: nothing is owed any more, and a coupon's use is given back. */
export async function cancelSales(
  tx: WriteTx,
  sales: readonly LockedSale[],
  because: CancelReason,
  reason?: string,
): Promise<void> {
  if (sales.length === 0) return;
  const ids = sales.map(({ invoiceId }) => invoiceId);
  await postJournals(
    tx,
    sales.map((sale) => ({ draft: invoiceCancelled(sale, { paidUnits: 0n }) })),
  );
  await cancelInvoices(tx, ids);
  await saveCancelled(tx, ids, because);
  for (const id of ids)
    tx.audit({
      action: 'invoice.cancelled',
      target: { kind: 'invoice', id },
      before: { status: 'pending' },
      after: { status: 'cancelled', because, ...(reason && { reason }) },
    });
}

const lockCancellable = async (tx: WriteTx, { lines }: OrderContent) => {
  const sales = await lockSales(
    tx,
    lines.map(({ subjectId }) => subjectId),
  );
  return sales.filter((sale) => refuseCancelling(sale) === null);
};

/** Cancelling a sale by hand, above what one person may write off. */
export const saleCancelledAct: OrderAct = {
  gone: GONE,
  async lock(tx, { seen }) {
    await lockCancellable(tx, seen);
  },
  async present(tx, { seen }) {
    return writeOffContent(tx, await lockCancellable(tx, seen), seen.facts.reason);
  },
  async carryOut(tx, { seen }) {
    await cancelSales(tx, await lockCancellable(tx, seen), 'staff', seen.facts.reason);
  },
  // Nothing waits for it.
  drop: async () => undefined,
};

/** Cancels the orders that were not paid in time. One of which a part was paid stays open. */
export async function expireSales({ db, now }: { db: Database; now: () => Date }): Promise<number> {
  for (let expired = 0; ; ) {
    const { found, cancelled } = await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
      const ids = await listExpired(tx, now(), BATCH);
      // A payment may have arrived since: what the locked rows say counts.
      const sales = (await lockSales(tx, ids)).filter((sale) => refuseCancelling(sale) === null);
      await cancelSales(tx, sales, 'expired');
      return { found: ids.length, cancelled: sales.length };
    });
    expired += cancelled;
    if (found < BATCH || cancelled === 0) return expired;
  }
}
