import { amount } from '../invoices-search.ts';

interface Ends {
  from: string | undefined;
  to: string | undefined;
}

/** Why amounts cannot be a range; null when they can. */
export function amountRangeError({ from, to }: Ends): string | null {
  if ([from, to].some((end) => end !== undefined && amount(end) === undefined)) {
    return 'Amounts are digits, with a point for cents';
  }
  return from && to && Number(from) > Number(to) ? 'The smallest amount is above the largest' : null;
}

export function dateRangeError({ from, to }: Ends): string | null {
  return from && to && from > to ? 'The first day is after the last' : null;
}
