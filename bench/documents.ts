import { LANGUAGES, type Language } from '@copydesk/domain/catalogue';
import {
  describeInvoice,
  MOST_POSITIONS,
} from '../apps/server/src/features/invoices/document/describe-invoice.ts';
import { createDocuments } from '../apps/server/src/integrations/documents/create-documents.ts';
import { invoiceFacts } from '../tests/support/invoice-facts.ts';
import type { Report } from './support/report.ts';

const INVOICES = 1_000;
const POSITIONS = 12;

/** What invoices as PDF cost in the one process that writes them: many of the usual size, and the largest. */
export async function benchDocuments(_ownerUrl: string, _dataDir: string, report: Report): Promise<void> {
  const documents = createDocuments();
  const write = async (n: number, positions: number) => {
    const facts = invoiceFacts(positions, { amount: String(200 + n), asked_amount: String(200 + n) });
    const startedAt = performance.now();
    const pdf = await documents.write(
      'invoice',
      describeInvoice(facts, LANGUAGES[n % LANGUAGES.length] as Language),
    );
    return { ms: performance.now() - startedAt, bytes: pdf.length };
  };
  const first = await write(0, POSITIONS);
  const sizes: number[] = [];
  const startedAt = performance.now();
  for (let n = 0; n < INVOICES; n++) sizes.push((await write(n, POSITIONS)).bytes);
  const seconds = (performance.now() - startedAt) / 1_000;
  const largest = await write(0, MOST_POSITIONS);
  await documents.close();
  sizes.sort((one, other) => one - other);
  const kB = (bytes = 0) => `${Math.round(bytes / 1_000)} kB`;
  report.row('first document, with the start of its process', `${first.ms.toFixed(0)} ms`);
  report.row(`${INVOICES} invoices of ${POSITIONS} positions as PDF`, `${seconds.toFixed(1)} s`, '≤ 30 s');
  report.row('size of such a PDF', `${kB(sizes[INVOICES / 2])}, at most ${kB(sizes.at(-1))}`);
  report.row(
    `an invoice of ${MOST_POSITIONS} positions as PDF`,
    `${largest.ms.toFixed(0)} ms, ${kB(largest.bytes)}`,
    '≤ 2,000 ms',
  );
}
