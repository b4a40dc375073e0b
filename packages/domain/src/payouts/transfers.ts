/** States of a transfer on chain: planned, sent until it is final, and the ways in which it ends. */
export const TRANSFER_STATES = ['planned', 'sent', 'final', 'reverted', 'cancelled', 'void'] as const;
export type TransferState = (typeof TRANSFER_STATES)[number];

/** Why a payout or a transfer failed, or does not go on. */
export const PAYOUT_PROBLEMS = [
  'declined',
  'cancelled',
  'sent_again',
  'reverted',
  'consolidation_reverted',
  'nothing_moved',
  'foreign_transaction',
  'receipt_differs',
  'refused_by_chain',
  'waits_for_gas',
  'gas_wallet_empty',
  'wallet_not_of_seed',
  'over_transaction_limit',
  'over_day_limit',
] as const;
export type PayoutProblem = (typeof PAYOUT_PROBLEMS)[number];

/** What keeps all payouts of a chain from going on. */
export const HALT_REASONS = ['chain_silent', 'fees_too_high', 'turn_failed'] as const;
export type HaltReason = (typeof HALT_REASONS)[number];

/** Why nothing is sent from a wallet until a person has looked. */
export const FREEZE_REASONS = [
  'chain_ahead',
  'foreign_transaction',
  'receipt_differs',
  'balance_short',
  'nonce_missing',
  'nonce_gap',
  'cannot_be_booked',
  'wallet_not_of_seed',
  'transfer_refused',
] as const;
export type FreezeReason = (typeof FREEZE_REASONS)[number];

/** A node refuses a replacement that pays less than a tenth more; some ask for an eighth. */
const RAISE_PERCENT = 125n;

interface GasFee {
  maxFee: bigint;
  priorityFee: bigint;
}

/**
 * What a replacement of a transaction pays for a unit of gas, in wei: what others pay now, and a quarter more than
 * before at least, or no node takes it. Where others pay more than may be paid, as much as may: fees fall again.
 * @returns null when a quarter more is more than may be paid
 */
export function replacementFee(before: GasFee, now: GasFee, limit: bigint): GasFee | null {
  const raised = (fee: bigint) => (fee * RAISE_PERCENT + 99n) / 100n;
  const most = (a: bigint, b: bigint) => (a > b ? a : b);
  const least = (a: bigint, b: bigint) => (a < b ? a : b);
  if (raised(before.maxFee) > limit) return null;
  return {
    maxFee: least(most(raised(before.maxFee), now.maxFee), limit),
    priorityFee: least(most(raised(before.priorityFee), now.priorityFee), limit),
  };
}

/** What a transfer of tokens says it does, and what its receipt says it did. Addresses in any case of letters. */
export interface TokenMove {
  token: string;
  from: string;
  to: string;
  units: bigint;
}

/** Whether a receipt did exactly what was asked for: this one transfer, to the unit, and no other. */
export function isSameMove(asked: TokenMove, done: readonly TokenMove[]): boolean {
  const [one, ...others] = done;
  if (!one || others.length > 0 || one.units !== asked.units) return false;
  const isSame = (key: 'token' | 'from' | 'to') => one[key].toLowerCase() === asked[key].toLowerCase();
  return isSame('token') && isSame('from') && isSame('to');
}

/** Units that may leave in one transaction, and within a day, over all wallets; null: no limit. Base units. */
export interface PayoutLimits {
  perTransaction: bigint | null;
  perDay: bigint | null;
}

/**
 * Which of these payouts the limits let go, in their order: one that is too large, for a transaction or for any day,
 * waits for a person, and the first that this day has no room for waits for the next, with all after it.
 * @param sentUnits what left within the last day
 */
export function withinLimits<T extends { units: bigint }>(
  payouts: readonly T[],
  { perTransaction, perDay }: PayoutLimits,
  sentUnits: bigint,
): { allowed: T[]; overTransaction: T[]; overDay: T[] } {
  const isOver = (units: bigint, limit: bigint | null) => limit !== null && units > limit;
  const overTransaction = payouts.filter(
    ({ units }) => isOver(units, perTransaction) || isOver(units, perDay),
  );
  const candidates = payouts.filter((payout) => !overTransaction.includes(payout));
  const allowed: T[] = [];
  let sum = sentUnits;
  for (const payout of candidates) {
    sum += payout.units;
    if (isOver(sum, perDay)) break;
    allowed.push(payout);
  }
  return { allowed, overTransaction, overDay: candidates.slice(allowed.length) };
}
