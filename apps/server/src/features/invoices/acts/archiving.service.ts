import type { OrderContent } from '@copydesk/domain/access';
import type { OrderAct } from '../../../core/transfers/orders/order-act.ts';
import type { OrderRules, Waits } from '../../../core/transfers/orders/place-order.ts';
import { GONE, orderWriteOff, writeOffContent } from '../../../core/transfers/orders/write-off.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import * as store from '../books/invoices.store.ts';
import type { Changes } from './marking.service.ts';

/**
 * Archives locked invoices or restores them. An archived invoice leaves the lists and is no longer outstanding. One that
 * a pool is about to pay stays; among others it is left out. What is unpaid is written off, by an order.
 * @throws Refusal `invoice_of_pool`, `order_waits`, `write_off_reason_required`
 */
export async function archiveInvoices(
  tx: WriteTx,
  rules: OrderRules,
  invoices: readonly store.LockedInvoice[],
  { isArchived, reason }: { isArchived: boolean; reason: string | undefined },
): Promise<Changes | Waits> {
  if (invoices.length === 1 && isArchived && invoices.some(isOwed)) throw new Refusal('invoice_of_pool');
  const changed = changedBy(invoices, isArchived);
  if (isArchived && changed.length > 0) {
    const waits = await orderWriteOff(tx, rules, 'invoices_archived', { invoices: changed, reason });
    if (waits.order_id) return waits;
  }
  await save(tx, changed, { isArchived, reason });
  return { changed: changed.length, unchanged: invoices.length - changed.length };
}

const isOwed = ({ isOfPool, status }: store.LockedInvoice) => isOfPool && status === 'pending';

const changedBy = (invoices: readonly store.LockedInvoice[], isArchived: boolean) =>
  invoices.filter((invoice) => invoice.isArchived !== isArchived && !(isArchived && isOwed(invoice)));

async function save(
  tx: WriteTx,
  changed: readonly store.LockedInvoice[],
  { isArchived, reason }: { isArchived: boolean; reason: string | undefined },
): Promise<void> {
  if (changed.length > 0)
    await store.setArchived(
      tx,
      changed.map(({ invoiceId }) => invoiceId),
      isArchived,
    );
  for (const { invoiceId } of changed)
    tx.audit({
      action: isArchived ? 'invoice.archived' : 'invoice.unarchived',
      target: { kind: 'invoice', id: invoiceId },
      before: { is_archived: !isArchived },
      after: { is_archived: isArchived, ...(reason && { reason }) },
    });
}

const lockUnarchived = async (tx: WriteTx, { lines }: OrderContent) =>
  changedBy(
    await store.lockByIds(
      tx,
      lines.map(({ subjectId }) => subjectId),
    ),
    true,
  );

/** Archiving what is unpaid, above the limit of a person. */
export const archivingAct: OrderAct = {
  gone: GONE,
  async lock(tx, { seen }) {
    await lockUnarchived(tx, seen);
  },
  async present(tx, { seen }) {
    return writeOffContent(tx, await lockUnarchived(tx, seen), seen.facts.reason);
  },
  async carryOut(tx, { seen }) {
    await save(tx, await lockUnarchived(tx, seen), { isArchived: true, reason: seen.facts.reason });
  },
};
