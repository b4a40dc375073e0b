import type { OrderRules, Waits } from '../../../core/transfers/orders/place-order.ts';
import type { Database, WriteTx } from '../../../platform/db/database.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { jsonText } from '../../../platform/http/json-text.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { lockByIds } from '../books/invoices.store.ts';
import { findInvoice } from '../detail/invoice-detail.views.ts';
import { archiveInvoices } from './archiving.service.ts';
import { type Changes, markInvoice, markInvoices } from './marking.service.ts';
import { recallInvoices } from './recalling.service.ts';
import { lockChosen, planAct } from './selection.ts';

type InvoiceActs = 'status' | 'archive';
type InvoiceActRoutes = Pick<
  Handlers,
  | `PATCH /api/invoices/{id}/${InvoiceActs}`
  | `PATCH /api/invoices/admin/${InvoiceActs}`
  | 'POST /api/invoices/admin/recall'
  | 'POST /api/invoices/admin/preview'
>;

/** Routes for the actions of super admins on invoices. Writing off above the limit of a person waits for another one. */
export function createInvoiceActRoutes(db: Database, rules: OrderRules): InvoiceActRoutes {
  return {
    'POST /api/invoices/admin/preview': async ({ body, scope }) => {
      return { success: true, data: await db.read(scope, (tx) => planAct(tx, body)) };
    },

    'PATCH /api/invoices/{id}/status': ({ params: { id }, body: { is_paid: isPaid, reason }, once }) =>
      once(async (tx) => toOne(tx, id, await markInvoice(tx, rules, id, { isPaid, reason }))),

    'PATCH /api/invoices/{id}/archive': ({
      params: { id },
      body: { is_archived: isArchived, reason },
      once,
    }) =>
      once(async (tx) => {
        const invoices = await lockByIds(tx, [id]);
        if (invoices.length === 0) throw new Refusal('not_found');
        return toOne(tx, id, await archiveInvoices(tx, rules, invoices, { isArchived, reason }));
      }),

    'PATCH /api/invoices/admin/status': ({ body: { is_paid: isPaid, reason, ...selection }, once }) =>
      once(async (tx) => {
        const invoices = await lockChosen(tx, selection);
        const how = { isPaid, leavesCancelled: invoices.length > 1, reason };
        return toMany(await markInvoices(tx, rules, invoices, how));
      }),

    'POST /api/invoices/admin/recall': ({ body: { reason, ...selection }, once }) =>
      once(async (tx) => toMany(await recallInvoices(tx, rules, await lockChosen(tx, selection), reason))),

    'PATCH /api/invoices/admin/archive': ({
      body: { is_archived: isArchived, reason, ...selection },
      once,
    }) =>
      once(async (tx) => {
        const invoices = await lockChosen(tx, selection);
        return toMany(await archiveInvoices(tx, rules, invoices, { isArchived, reason }));
      }),
  };
}

const waiting = ({ order_id }: Waits) => ({
  success: true as const,
  data: { state: 'awaiting_approval' as const, order_id: order_id as string },
});

/** The answer of an action on one invoice: the invoice after it, or that it waits. */
async function toOne(tx: WriteTx, id: string, result: Changes | Waits) {
  if ('state' in result) return waiting(result);
  return jsonText<never>('{"success":true,"data":', (await findInvoice(tx, id)) ?? 'null', '}');
}

const toMany = (result: Changes | Waits) =>
  'state' in result ? waiting(result) : { success: true as const, data: result };
