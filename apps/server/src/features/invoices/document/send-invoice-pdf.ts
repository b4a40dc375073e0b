import type { Scope } from '@copydesk/domain/access';
import type { Language } from '@copydesk/domain/catalogue';
import type { FastifyReply } from 'fastify';
import { DocumentError, type Documents } from '../../../integrations/documents/gateway.ts';
import type { Database } from '../../../platform/db/database.ts';
import { STREAMED } from '../../../platform/http/handlers.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { findDetail, listPositions } from '../detail/invoice-detail.views.ts';
import { describeInvoice, MOST_POSITIONS } from './describe-invoice.ts';
import { findPaperFacts } from './invoice-document.views.ts';

/**
 * Sends an invoice in scope as PDF.
 * @param language null or left out: the trader's own
 * @throws Refusal `not_found`, `documents_busy`
 */
export async function sendInvoicePdf(
  { db, documents, now }: { db: Database; documents: Documents; now: () => Date },
  { id, language, scope, reply }: { id: string; language?: Language; scope: Scope; reply: FastifyReply },
): Promise<typeof STREAMED> {
  const readAt = now();
  const facts = await db.readAny(scope, async (tx) => {
    const [own, detail] = [await findPaperFacts(tx, id), await findDetail(tx, id)];
    const positions = await listPositions(tx, id, { limit: MOST_POSITIONS, offset: 0 });
    if (!own || !detail || !positions) throw new Refusal('not_found');
    return { ...own, detail, positions: { shown: positions.data, total: positions.meta.total }, readAt };
  });
  const used = language ?? facts.language;
  const pdf = await write(documents, describeInvoice(facts, used));
  reply
    .type('application/pdf')
    .header('content-disposition', `attachment; filename="invoice-${id.slice(0, 8)}-${used}.pdf"`)
    .send(pdf);
  return STREAMED;
}

async function write(documents: Documents, paper: object): Promise<Buffer> {
  try {
    return await documents.write('invoice', paper);
  } catch (error) {
    if (error instanceof DocumentError && error.problem === 'busy') throw new Refusal('documents_busy');
    throw error;
  }
}
