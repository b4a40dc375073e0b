import { type CancelReason, invoiceCancelled, refuseCancelling } from '@copydesk/domain';
import { postJournals } from '../../../core/ledger/ledger.service.ts';
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
      after: { status: 'cancelled', because },
    });
}

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
