import { type JournalDraft, type Opening, openingJournals, planOpening } from '@copydesk/domain/ledger';
import type { LockedInvoice } from './invoices.store.ts';

/**
 * The opening of an unpaid invoice in the books before its first change; null for one that has books. An imported
 * invoice is issued now. The imported payment counts as settled off-platform, because it has not been checked on chain.
 */
export function openingOf(invoice: LockedInvoice): Opening | null {
  if (invoice.hasBooks) return null;
  const [opening] = planOpening([{ ...invoice, status: 'pending', paidOut: [], owedUnits: 0n }], 0n);
  return opening ?? null;
}

export const draftsOf = (openings: readonly Opening[]): { draft: JournalDraft }[] =>
  openings.flatMap(openingJournals).map((draft) => ({ draft }));
