import type { TypeSummary } from '../history-queries.ts';

/** The parts of a type's total by outcome. Empty parts are left out, except the paid one. */
export function partsOf({ paid, awaiting_approval, under_way, failed, replaced }: TypeSummary) {
  const parts = [
    { label: 'Paid', word: 'paid', ...paid },
    { label: 'Awaiting approval', word: 'awaiting approval', ...awaiting_approval },
    { label: 'Under way', word: 'under way', ...under_way },
    { label: 'Failed', word: 'failed', ...failed },
    { label: 'Replaced', word: 'replaced', ...replaced },
  ];
  return parts.filter(({ word, count, amount }) => word === 'paid' || count > 0 || amount !== '0');
}
