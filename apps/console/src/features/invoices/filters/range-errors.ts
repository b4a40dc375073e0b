import { amount } from '../../../lib/list-search.ts';

interface Ends {
  from: string | undefined;
  to: string | undefined;
}

/** Why two amounts are not a valid range; null when they are. */
export function amountRangeError({ from, to }: Ends): string | null {
  if ([from, to].some((end) => end !== undefined && amount(end) === undefined)) {
    return 'Enter digits, with a point for cents';
  }
  return from && to && Number(from) > Number(to) ? 'The minimum is above the maximum' : null;
}
