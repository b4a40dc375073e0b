import { type FreezeReason, formatCount } from '@copydesk/domain';
import { toldMessage } from '../../lib/api-error.ts';
import { formatUsdt } from '../../lib/payout-words.ts';

const counted = (n: number, one: string, many: string) => `${formatCount(n)} ${n === 1 ? one : many}`;

export const recipientsWord = (n: number) => counted(n, 'recipient', 'recipients');
export const payoutsWord = (n: number) => counted(n, 'payout', 'payouts');
export const sharesWord = (n: number) => counted(n, 'share', 'shares');
export const usdt = (amount: string) => `${formatUsdt(amount)} USDT`;

export const NOTHING_PENDING = 'Nothing is pending for distribution';
export const NOBODY_SELECTED = 'Please select at least one recipient';

/** @param n how many were selected; null: all */
export const distributedWords = (n: number | null) =>
  `Funds distributed successfully to ${n === null ? 'all' : n} recipients`;

export const distributeProblem = (error: unknown) => toldMessage(error) ?? 'Failed to distribute funds';

/** What the ways out of a wallet's standstill are called, in words for people who never saw a nonce. */
const FROZEN: Record<FreezeReason, string> = {
  chain_ahead: 'The chain has more transactions of this wallet than were sent from here.',
  foreign_transaction: 'Somebody else has sent a transaction from this wallet.',
  receipt_differs: 'What the chain says of a transfer is not what was sent from here.',
  balance_short: 'The wallet holds less on chain than the books say.',
  nonce_missing: 'A transaction is missing between those that were sent from this wallet.',
  nonce_gap: 'The chain waits for a transaction of this wallet that was never sent from here.',
  cannot_be_booked: 'The books refuse what a transfer of this wallet did.',
  wallet_not_of_seed: 'This address does not belong to the seed of the worker.',
  transfer_refused: 'The chain keeps refusing transfers from this address.',
};

export const frozenWords = (because: string) =>
  FROZEN[because as FreezeReason] ?? `The reason is known as ${because}.`;
