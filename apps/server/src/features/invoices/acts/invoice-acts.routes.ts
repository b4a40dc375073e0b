import { type RawBuilder, sql } from 'kysely';
import type { WriteTx } from '../../../platform/db/database.ts';
import { ApiError } from '../../../platform/http/api-error.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { jsonText } from '../../../platform/http/json-text.ts';
import { type LockedInvoice, lockInvoices } from '../books/invoices.store.ts';
import { findInvoice } from '../detail/invoice-detail.views.ts';
import { archiveInvoices } from './archiving.service.ts';
import { markInvoices } from './marking.service.ts';
import { lockChosen } from './selection.ts';

type InvoiceActs = 'status' | 'archive';
type InvoiceActRoutes = Pick<
  Handlers,
  `PATCH /api/invoices/{id}/${InvoiceActs}` | `PATCH /api/invoices/admin/${InvoiceActs}`
>;

/** Routes for the actions of super admins on invoices. */
export function createInvoiceActRoutes(): InvoiceActRoutes {
  return {
    'PATCH /api/invoices/{id}/status': ({ params, body, once }) =>
      once((tx) =>
        toOne(tx, params.id, (invoices) =>
          markInvoices(tx, invoices, { isPaid: body.is_paid, leavesCancelled: false }),
        ),
      ),

    'PATCH /api/invoices/{id}/archive': ({ params, body, once }) =>
      once((tx) => toOne(tx, params.id, (invoices) => archiveInvoices(tx, invoices, body.is_archived))),

    'PATCH /api/invoices/admin/status': ({ body: { is_paid: isPaid, ...selection }, once }) =>
      once(async (tx) => {
        const invoices = await lockChosen(tx, selection);
        const leavesCancelled = invoices.length > 1;
        return { success: true, data: await markInvoices(tx, invoices, { isPaid, leavesCancelled }) };
      }),

    'PATCH /api/invoices/admin/archive': ({ body: { is_archived: isArchived, ...selection }, once }) =>
      once(async (tx) => {
        const invoices = await lockChosen(tx, selection);
        return { success: true, data: await archiveInvoices(tx, invoices, isArchived) };
      }),
  };
}

/** Applies an action to one invoice and returns the invoice after it. */
async function toOne(tx: WriteTx, id: string, act: (invoices: readonly LockedInvoice[]) => Promise<unknown>) {
  const chosen: RawBuilder<unknown> = sql`i.id = ${id}`;
  const invoices = await lockInvoices(tx, chosen);
  if (invoices.length === 0) throw new ApiError('not_found');
  await act(invoices);
  return jsonText<never>('{"success":true,"data":', (await findInvoice(tx, id)) ?? 'null', '}');
}
