import { ApiError, serverMessage } from '../../lib/api/api-error.ts';
import { formatCount, numberFormat } from '../../lib/format/numbers.ts';

const counted = (n: number, one: string, many: string) => `${formatCount(n)} ${n === 1 ? one : many}`;

export const recipientsWord = (n: number) => counted(n, 'recipient', 'recipients');
export const payoutsWord = (n: number) => counted(n, 'payout', 'payouts');
export const sharesWord = (n: number) => counted(n, 'share', 'shares');

const upTo8 = numberFormat({ maximumFractionDigits: 8 });
/** An amount of BNB, without its unit. */
export const bnb = (amount: string) => upTo8(amount);

export const NOTHING_PENDING = 'Nothing is pending for distribution';
export const NOTHING_PAYABLE = 'Nothing is payable now';
export const NOBODY_SELECTED = 'Please select at least one recipient';

export const STILL_WORKING =
  'Still working: this order takes longer than usual. You can close this window. A message reports the result.';

/** @param n number of selected recipients; null: all */
export const distributedWords = (n: number | null) =>
  `Funds distributed successfully to ${n === null ? 'all' : n} recipients`;

/** The server's text. Without one, a refusal has the text of its call, and a missing answer has ours. */
export const distributeProblem = (error: unknown) =>
  serverMessage(error) ??
  (error instanceof ApiError && error.status === 200 ? error.message : 'Failed to distribute funds');
