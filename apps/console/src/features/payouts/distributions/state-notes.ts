import { formatCount } from '../../../lib/format/numbers.ts';
import { usdt } from '../../../lib/format/usdt.ts';

import type { Distribution } from '../payouts-queries.ts';

/**
 * Details beyond a distribution's state: how many payouts are paid or failed, and the amount that returned to pending.
 */
export function stateNotes({ progress, payouts, returned_amount, returned }: Distribution): string[] {
  if (progress === null) return [];
  const { distributed, failed, under_way, ordered_again } = payouts;
  const all = distributed + failed + under_way;
  const notes: (string | false)[] = [
    (under_way > 0 || failed > 0) && `${formatCount(distributed)} of ${formatCount(all)} paid`,
    failed > 0 && `${formatCount(failed)} failed`,
    ordered_again > 0 && `${formatCount(ordered_again)} ordered again`,
    returned_amount !== '0' && `${usdt(returned_amount)} returned to pending${ofTraders(returned)}`,
  ];
  return notes.filter((note) => note !== false);
}

/** Traders that a note names. */
const NAMED = 3;

/** The traders whose deposit addresses could not be emptied. Distributions of earlier versions do not know them. */
function ofTraders(returned: Distribution['returned']): string {
  if (returned.length === 0) return '';
  const names = returned
    .slice(0, NAMED)
    .map(({ trader }) => trader.reference_number ?? 'a trader without number');
  const more = returned.length - names.length;
  return `: deposits of ${names.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`;
}
