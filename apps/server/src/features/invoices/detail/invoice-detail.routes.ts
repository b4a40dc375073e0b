import type { Documents } from '../../../integrations/documents/gateway.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { sendInvoicePdf } from '../document/send-invoice-pdf.ts';
import { findDetail, listPositions } from './invoice-detail.views.ts';

/** Routes for the details of one invoice. */
export function createInvoiceDetailRoutes({
  db,
  documents,
  now,
}: {
  db: Database;
  documents: Documents;
  now: () => Date;
}): Pick<
  Handlers,
  'GET /api/invoices/{id}' | 'GET /api/invoices/{id}/pdf' | 'GET /api/invoices/{id}/positions'
> {
  return {
    'GET /api/invoices/{id}': async ({ params, scope }) => {
      const data = await db.readAny(scope, (tx) => findDetail(tx, params.id));
      if (!data) throw new Refusal('not_found');
      return { success: true, data };
    },
    'GET /api/invoices/{id}/pdf': ({ params, query, scope, reply }) =>
      sendInvoicePdf({ db, documents, now }, { id: params.id, language: query.language, scope, reply }),
    'GET /api/invoices/{id}/positions': async ({ params, query, scope }) => {
      const page = await db.readAny(scope, (tx) => listPositions(tx, params.id, query));
      if (!page) throw new Refusal('not_found');
      return { success: true, ...page };
    },
  };
}
