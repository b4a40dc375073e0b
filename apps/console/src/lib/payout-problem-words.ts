import type { FreezeReason, HaltReason, PayoutProblem } from '@copydesk/domain';
import { shortAddress } from './payout-words.ts';

/** Why a payout or a transfer does not go on, for people who do not read codes. */
const PROBLEMS: Record<PayoutProblem, string> = {
  declined: 'A super admin declined the distribution. Its shares are pending again.',
  cancelled: 'It was taken back before it was on chain.',
  sent_again: 'Its shares were ordered again at another address, as another payout.',
  reverted: 'The chain refused the transfer: nothing was paid.',
  consolidation_reverted: 'The chain refused to collect from a deposit address: nothing was paid.',
  nothing_moved: 'The chain took the transaction and moved nothing: nothing was paid.',
  foreign_transaction: 'Another transaction was sent in its place: nothing was paid.',
  receipt_differs: 'What the chain says of it is not what was sent. Check both before you go on.',
  refused_by_chain: 'The chain refuses the transfer. It is tried again automatically.',
  waits_for_gas: 'The address has no BNB for the fee yet. It is funded automatically.',
  gas_wallet_empty: 'The wallet that pays for gas is empty. Send BNB to it.',
  wallet_not_of_seed: 'The wallet is not one that this worker has the key of.',
  over_transaction_limit: 'The amount is over the limit for one transfer.',
  over_day_limit: 'The limit for one day is reached. It is tried again when the day is over.',
};

/** A newer server may know more reasons than this page. */
export const problemWords = (problem: string) =>
  PROBLEMS[problem as PayoutProblem] ?? `The reason is known as ${problem}.`;

/** Why a wallet is frozen, in words for people who never saw a nonce. */
const FROZEN: Record<FreezeReason, string> = {
  chain_ahead: 'The chain has more transactions of this wallet than were sent from here.',
  foreign_transaction: 'A transaction was sent from this wallet that is not ours.',
  receipt_differs: 'A receipt on chain differs from the transfer that was sent.',
  balance_short: 'The wallet holds less on chain than the books say.',
  nonce_missing: 'A transaction is missing between those that were sent from this wallet.',
  nonce_gap: 'The chain waits for a transaction of this wallet that was never sent from here.',
  cannot_be_booked: 'The books refuse what a transfer of this wallet did.',
  wallet_not_of_seed: 'This address does not belong to the seed of the worker.',
  transfer_refused: 'The chain keeps refusing transfers from this address.',
};

export const frozenWords = (because: string) =>
  FROZEN[because as FreezeReason] ?? `The reason is known as ${because}.`;

/** What keeps all payouts from going on. */
const HALTS: Record<HaltReason | 'no_worker', string> = {
  chain_silent: 'The chain does not answer. Payouts continue when it does.',
  fees_too_high: 'Network fees are above the configured limit. Payouts continue when they fall.',
  turn_failed: 'The payout worker fails at every attempt. Its log says why.',
  no_worker: 'No payout worker is running. Payouts continue when one is started.',
};

/** What a payout under way waits for, and what removes it. Reasons of `waits_for` that no transfer has itself. */
export function waitWords({
  reason,
  detail,
  address,
}: {
  reason: string;
  detail: string | null;
  address: string;
}): string {
  if (reason === 'wallet_frozen')
    return `Wallet ${shortAddress(address)} is frozen. ${frozenWords(detail ?? 'unknown')} Unfreeze it on Transaction History.`;
  if (reason === 'gas_wallet_frozen')
    return `The wallet that pays for gas is frozen. ${frozenWords(detail ?? 'unknown')} Unfreeze it on Transaction History.`;
  if (reason === 'not_final') return 'The transfer was sent. The chain has not confirmed it yet.';
  if (reason === 'in_turn') return 'The transfer has not been sent yet. It waits for its turn.';
  return HALTS[reason as HaltReason] ?? problemWords(reason);
}

/** A duration as it is read: `40 s`, `12 min`, `3 h`, `2 days`. */
export function durationWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 36 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
