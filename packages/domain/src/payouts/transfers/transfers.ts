import { leastOf, mostOf } from '../../money/order-units.ts';

/** Why a payout or a transfer failed, or does not proceed. */
export const PAYOUT_PROBLEMS = [
  'declined',
  'cancelled',
  'sent_again',
  'reverted',
  'consolidation_reverted',
  'nothing_moved',
  'foreign_transaction',
  'receipt_differs',
  'not_backed',
  'refused_by_chain',
  'server_failed',
  'waits_for_gas',
  'gas_wallet_empty',
  'wallet_not_of_seed',
  'over_transaction_limit',
  'over_day_limit',
  'over_hard_max',
  'gas_limit_reached',
] as const;
export type PayoutProblem = (typeof PAYOUT_PROBLEMS)[number];

/** Reasons that stop all payouts of a chain. */
export const HALT_REASONS = [
  'chain_silent',
  'fees_too_high',
  'turn_failed',
  'sends_refused',
  'no_standby',
] as const;
export type HaltReason = (typeof HALT_REASONS)[number];

/** Why a wallet sends no transfers until reviewed. */
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
  'restored',
] as const;
export type FreezeReason = (typeof FREEZE_REASONS)[number];

/** Nodes refuse a replacement that pays less than a tenth more; some require an eighth. */
const RAISE_PERCENT = 125n;

interface GasFee {
  maxFee: bigint;
  priorityFee: bigint;
}

/**
 * The gas price of a replacement transaction, in wei: the market price, and at least a quarter more than before, or
 * nodes refuse it. A market price above the limit is capped at the limit, because fees fall again.
 * @returns null when a quarter more exceeds the limit
 */
export function replacementFee(before: GasFee, now: GasFee, limit: bigint): GasFee | null {
  const raised = (fee: bigint) => (fee * RAISE_PERCENT + 99n) / 100n;
  if (raised(before.maxFee) > limit) return null;
  return {
    maxFee: leastOf(mostOf(raised(before.maxFee), now.maxFee), limit),
    priorityFee: leastOf(mostOf(raised(before.priorityFee), now.priorityFee), limit),
  };
}

/** A token transfer, as requested and as in its receipt. Addresses in any letter case. */
export interface TokenMove {
  token: string;
  from: string;
  to: string;
  units: bigint;
}

/** Whether a receipt shows exactly the requested transfer, to the unit, and no other. */
export function isSameMove(asked: TokenMove, done: readonly TokenMove[]): boolean {
  const [one, ...others] = done;
  if (!one || others.length > 0 || one.units !== asked.units) return false;
  const isSame = (key: 'token' | 'from' | 'to') => one[key].toLowerCase() === asked[key].toLowerCase();
  return isSame('token') && isSame('from') && isSame('to');
}

/** Maximum units per transaction and per day, over all wallets; null: no limit. Base units. */
export interface PayoutLimits {
  perTransaction: bigint | null;
  perDay: bigint | null;
}

/** The largest payout that these limits ever let out, base units; null: any. */
export function largestPayout({ perTransaction, perDay }: PayoutLimits): bigint | null {
  if (perTransaction === null) return perDay;
  return perDay === null ? perTransaction : leastOf(perTransaction, perDay);
}

/** How many super admins besides its author must approve an order with a payout above the largest one. */
export const ALLOW_ONCE_APPROVALS = 2;

/**
 * The payouts that the limits allow, in their order. One that exceeds the limit of a transaction or of any day waits
 * for manual action, unless it was allowed once: then it goes in any case, and counts. The first that exceeds the rest of
 * this day waits for the next, with all after it.
 * @param sentUnits sent within the last day
 */
export function withinLimits<T extends { units: bigint; isAllowedOnce?: boolean }>(
  payouts: readonly T[],
  { perTransaction, perDay }: PayoutLimits,
  sentUnits: bigint,
): { allowed: T[]; overTransaction: T[]; overDay: T[] } {
  const isOver = (units: bigint, limit: bigint | null) => limit !== null && units > limit;
  const isTooLarge = ({ units }: T) => isOver(units, largestPayout({ perTransaction, perDay }));
  const once = payouts.filter((payout) => isTooLarge(payout) && payout.isAllowedOnce);
  const overTransaction = payouts.filter((payout) => isTooLarge(payout) && !payout.isAllowedOnce);
  const candidates = payouts.filter((payout) => !isTooLarge(payout));
  const within: T[] = [];
  let sum = once.reduce((all, { units }) => all + units, sentUnits);
  for (const payout of candidates) {
    sum += payout.units;
    if (isOver(sum, perDay)) break;
    within.push(payout);
  }
  return { allowed: [...once, ...within], overTransaction, overDay: candidates.slice(within.length) };
}

const DAY_MS = 86_400_000;

/**
 * When payouts that the limit of a day holds up will go out, if nothing else is ordered before them: each as soon as
 * enough of what went out before is more than a day old, in their order.
 * @param waiting none above the limit itself
 * @param counted what went out within the last day, in any order
 */
export function payableAt(
  waiting: readonly { units: bigint }[],
  counted: readonly { units: bigint; at: Date }[],
  perDay: bigint,
  now: Date,
): Date[] {
  const window = counted.toSorted((a, b) => a.at.getTime() - b.at.getTime());
  let sum = window.reduce((all, { units }) => all + units, 0n);
  let oldest = 0;
  let at = now;
  return waiting.map(({ units }) => {
    for (; sum + units > perDay && oldest < window.length; oldest++) {
      const { units: freed, at: since } = window[oldest] as { units: bigint; at: Date };
      sum -= freed;
      at = new Date(Math.max(at.getTime(), since.getTime() + DAY_MS + 1));
    }
    sum += units;
    window.push({ units, at });
    return at;
  });
}
