import { ExactDecimal } from '../money/exact-decimal.ts';
import { BUSINESS_DEFAULTS } from '../settings/business-defaults.ts';
import { type SplitPart, type SplitTerms, splitInvoice } from './split.ts';

/** USDT on BNB Smart Chain: base units of one token. */
const UNITS_PER_TOKEN = 10n ** 18n;
const DAY_MS = 86_400_000;

/**
 * How invoices and exchanges can differ: a profit that was corrected after it was invoiced; one close with two invoices;
 * and what closed before an account was removed and was never read.
 */
export const DIFFERENCE_KINDS = ['corrected_close', 'doubled_close', 'unread_closes'] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/**
 * States of an invoicing run. A draft is prepared, looked at by a person and sent or discarded; a run that is sent at once
 * begins as `running`.
 */
export const RUN_STATES = ['preparing', 'draft', 'running', 'sending', 'done', 'discarded'] as const;
export type RunState = (typeof RUN_STATES)[number];

/**
 * What a run does to a trader: `invoice`; `excluded`, a person left it out; `carried`, below the minimum; `left_out`, for
 * its reason.
 */
export const LINE_OUTCOMES = ['invoice', 'excluded', 'carried', 'left_out'] as const;
export type LineOutcome = (typeof LINE_OUTCOMES)[number];

/** Why a run leaves something out that a person has to look at. `changed`: it is no longer what its draft showed. */
export const RUN_PROBLEMS = [
  'split_exceeds_invoice',
  'no_deposit_address',
  'failed',
  'unknown_profit',
  'changed',
] as const;
/**
 * And reasons that need no person: its provider's invoicing is off, or nothing is due, also after deductions.
 */
export const LINE_REASONS = [...RUN_PROBLEMS, 'invoicing_off', 'nothing_due'] as const;
export type LineReason = (typeof LINE_REASONS)[number];

/** The basis of an invoice: the profit of positions at one provider and one rate, not invoiced yet. */
export interface InvoiceFacts extends SplitTerms {
  /** Sum of closed_pnl of the profitable positions, USD, decimal string above zero. */
  profit: string;
  /** That was in force when the positions closed, as a fraction, 0 to 1: see `commissionRateOf`. */
  commissionRate: string;
  /** Days until it is due; 3 by default. */
  dueDays?: number;
}

export interface InvoicePlan {
  amountUnits: bigint;
  commissionRate: string;
  /** Frozen from now on. */
  split: SplitPart[];
  dueAt: Date;
}

/**
 * Computes an invoice. The commission is rounded down to base units, in the trader's favour.
 * @returns `nothing_due` for less than one base unit; `split_exceeds_invoice` when the parts are more than the whole
 */
export function planInvoice(
  facts: InvoiceFacts,
  now: Date,
): InvoicePlan | { refusal: 'nothing_due' | 'split_exceeds_invoice' } {
  const commissionRate = new ExactDecimal(facts.commissionRate).toFixed();
  const amountUnits = commissionUnits(facts.profit, commissionRate);
  if (amountUnits <= 0n) return { refusal: 'nothing_due' };
  const split = splitInvoice(amountUnits, facts);
  if (!split) return { refusal: 'split_exceeds_invoice' };
  const dueAt = new Date(now.getTime() + (facts.dueDays ?? BUSINESS_DEFAULTS.invoiceDueDays) * DAY_MS);
  return { amountUnits, commissionRate, split, dueAt };
}

/**
 * The commission on a profit, rounded down to base units.
 * @param profit USD, decimal string from 0 on
 * @param rate a fraction, 0 to 1
 */
export function commissionUnits(profit: string, rate: string): bigint {
  return BigInt(new ExactDecimal(profit).times(rate).times(UNITS_PER_TOKEN.toString()).floor().toFixed());
}

/** The community's rate, or the provider's minimum if that is higher; both as fractions, 0 to 1. */
export function commissionRateOf({
  communityCommissionRate,
  providerMinimumRate,
}: {
  communityCommissionRate: string;
  /** Null when the provider is unknown. */
  providerMinimumRate: string | null;
}): string {
  return ExactDecimal.max(communityCommissionRate, providerMinimumRate ?? 0).toFixed();
}
