import { durationWords } from '../../lib/payout-problem-words.ts';
import type { DepositReading } from './deposit-reading-query.ts';

export const SET_ASIDE_WORDS: Record<DepositReading['set_aside'][number]['reason'], string> = {
  amount_too_large: 'Amount too large for the ledger',
  cannot_be_booked: 'The ledger rejected it',
};

/** The server's recorded reason for the stop, as a sentence; block hashes are shortened to their first characters. */
export function stoppedWords(because: string): string {
  const text = because.replaceAll(/0x[0-9a-f]{16,}/gi, (hash) => `${hash.slice(0, 10)}…`);
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** How far reading is behind: servers that stand still answer without an error. */
export const lateWords = (seconds: number) =>
  `The last block that was read is ${durationWords(seconds * 1_000)} old: the servers of the chain are behind, or reading catches up. Payments of traders are booked that much later.`;
