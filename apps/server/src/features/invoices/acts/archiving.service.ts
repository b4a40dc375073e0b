import type { WriteTx } from '../../../platform/db/database.ts';
import { ApiError } from '../../../platform/http/api-error.ts';
import * as store from '../books/invoices.store.ts';
import type { Changes } from './marking.service.ts';

/**
 * Archives locked invoices or restores them. An archived invoice leaves the lists and is no longer outstanding. One that
 * a pool is about to pay stays; among others it is left out.
 * @throws ApiError `invoice_of_pool`
 */
export async function archiveInvoices(
  tx: WriteTx,
  invoices: readonly store.LockedInvoice[],
  isArchived: boolean,
): Promise<Changes> {
  const isOwed = ({ isOfPool, status }: store.LockedInvoice) =>
    isArchived && isOfPool && status === 'pending';
  if (invoices.length === 1 && invoices.some(isOwed)) throw new ApiError('invoice_of_pool');
  const changed = invoices.filter((invoice) => invoice.isArchived !== isArchived && !isOwed(invoice));
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
      after: { is_archived: isArchived },
    });
  return { changed: changed.length, unchanged: invoices.length - changed.length };
}
