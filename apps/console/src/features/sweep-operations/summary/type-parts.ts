import type { TypeSummary } from '../sweeps-queries.ts';

/** What of a type is paid, under way and failed; without the parts that are nothing, but always what is paid. */
export function partsOf({ paid, under_way, failed }: TypeSummary) {
  const parts = [
    { label: 'Paid', word: 'paid', ...paid },
    { label: 'Under way', word: 'under way', ...under_way },
    { label: 'Failed', word: 'failed', ...failed },
  ];
  return parts.filter(({ word, count, amount }) => word === 'paid' || count > 0 || amount !== '0');
}
