import { formatCount } from '@copydesk/domain';

/** Below this many transfers, the wallet should be filled. */
const LOW = 100;

export const gasLevel = (transfers: number): 'empty' | 'low' | 'enough' =>
  transfers === 0 ? 'empty' : transfers < LOW ? 'low' : 'enough';

/** The transfers that the wallet pays for, and at which fee. */
export function gasWords(transfers: number, basis: 'recent' | 'highest'): string {
  const fees = basis === 'recent' ? 'at recent cost' : 'at the highest gas price';
  if (transfers === 0) return `Less than one transfer ${fees}`;
  const count = transfers === 1 ? '1 transfer' : `${formatCount(transfers)} transfers`;
  return `${basis === 'recent' ? 'About' : 'At least'} ${count} ${fees}`;
}
