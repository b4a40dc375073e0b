import { type JournalDraft, type Opening, openingJournals, planOpening } from '@copydesk/domain';
import type { LockedInvoice } from './invoices.store.ts';

/**
 * What an unpaid invoice begins with in the books before it is touched; null for one that has books. One that was
 * imported is issued now. What the import says was paid on it counts as settled off the platform: whoever acts on it
 * here has not asked the chain.
 */
export function openingOf(invoice: LockedInvoice): Opening | null {
  if (invoice.hasBooks) return null;
  const [opening] = planOpening([{ ...invoice, status: 'pending', paidOut: [], owedUnits: 0n }], 0n);
  return opening ?? null;
}

export const draftsOf = (openings: readonly Opening[]): { draft: JournalDraft }[] =>
  openings.flatMap(openingJournals).map((draft) => ({ draft }));
