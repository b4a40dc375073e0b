import { leastOf, mostOf } from '../money/order-units.ts';

/** States of a transfer on chain: planned, sent until it is final, and its possible ends. */
export const TRANSFER_STATES = ['planned', 'sent', 'final', 'reverted', 'cancelled', 'void'] as const;
export type TransferState = (typeof TRANSFER_STATES)[number];

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
export const HALT_REASONS = ['chain_silent', 'fees_too_high', 'turn_failed', 'sends_refused'] as const;
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

/**
 * The payouts that the limits allow, in their order. One that exceeds the limit of a transaction or of any day waits
 * for manual action. The first that exceeds the rest of this day waits for the next, with all after it.
 * @param sentUnits sent within the last day
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
