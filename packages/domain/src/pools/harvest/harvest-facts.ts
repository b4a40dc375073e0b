import type { ValuationReason } from '../capital/valuation.ts';
import type { FailureReason, HarvestStep } from './harvest-states.ts';

/** One read of the pool's account at the exchange. Amounts are base units. */
export interface ExchangeEvidence {
  ageMs: number;
  openPositions: number;
  openOrders: number;
  /** Closed positions at the exchange that are not stored yet. */
  unstoredPositions: number;
  /** The account's own USDT in both wallets. */
  balanceUnits: bigint;
  /** USDT that is owed there: it is never netted with a balance. */
  owedUnits: bigint;
  /** What left the account since the pause by neither trading nor withdrawing, as a repaid loan: zero or more. */
  leftUnits: bigint;
  /** Withdrawals that have not ended; null when the account's key cannot read them. */
  openWithdrawals: number | null;
}

/**
 * Decisions by two people about a failed cycle: its step is possible now; the exchange sent the funding transfer back,
 * so it is planned again; or the funding transfer is lost, so the cycle ends without it.
 */
export const RESOLUTIONS = ['repeat', 'funding_bounced', 'funding_lost'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/**
 * The decisions that a failed cycle can take, and whether repeating its step is known to fail again: a deposit that the
 * exchange rejected stays rejected, and is funded again or given up.
 */
export function resolutionsOf(
  step: HarvestStep,
  failure: FailureReason | null,
): { kinds: readonly Resolution[]; failsAgain: Resolution | null } {
  const kinds = step === 'crediting' ? RESOLUTIONS : (['repeat'] as const);
  return { kinds, failsAgain: step === 'crediting' && failure === 'deposit_rejected' ? 'repeat' : null };
}

/** The facts that transitions of a cycle depend on, read in the transaction of the decision. Amounts are base units. */
export interface HarvestFacts {
  now: Date;
  /** Of the present state; null: none. */
  deadline: Date | null;
  /** Whether a global run holds the pool, other than the one that asks. */
  isHeldByRun: boolean;
  hasBot: boolean;
  /** Whether the trading bot acknowledged the present pause or resume request, not an earlier one. */
  isAcknowledged: boolean;
  /** Whether a harvest was called off and trading has not resumed since. */
  isResumeAwaited: boolean;
  /** The newest read; null: none since the cycle began. */
  exchange: ExchangeEvidence | null;
  /** The read before it, after the pause; null: none. */
  earlierExchange: ExchangeEvidence | null;
  /** The exchange balance that was read at the start of the cycle. */
  startBalanceUnits: bigint;
  /** Returned by the exchange in this cycle. */
  returnedUnits: bigint;
  /** Withdrawal fees of the exchange, as far as they can be read. */
  withdrawalFeeUnits: bigint;
  dustUnits: bigint;
  /** Reasons for which the valuation waits for another person. */
  valuationReasons: readonly ValuationReason[];
  isValuationApproved: boolean;
  /** Booked money that left trading by another way and is not back. */
  missingUnits: bigint;
  /** Whether a second, independent super admin agrees: not the one who started the cycle or made the request. */
  hasSecondPerson: boolean;
  /** The part of the loss that nothing covers. */
  uncoveredUnits: bigint;
  /** Whether the capital of the members equals the pool's other accounts. */
  areBooksBalanced: boolean;
  /** Members whose fee of this cycle is not charged yet. */
  unchargedMembers: number;
  /** Withdrawals being paid, deposits being collected, and an unfinished fee transfer. */
  pendingOperations: number;
  isDepositAddressApproved: boolean;
  /** Per cent from the highest unit price: zero or less. */
  drawdown: string;
  /** The drawdown at which the pool does not trade on; null: no limit. */
  maxDrawdown: string | null;
  /** The planned funding transfer; 0: everything stays in the proxy wallet. */
  fundingUnits: bigint;
  creditedUnits: bigint;
  /** Balance of `pool_transit`. */
  transitUnits: bigint;
  /** Why the cycle failed; null: it has not. */
  failure: FailureReason | null;
  resolution: Resolution | null;
  /** Whether the owner was written to within minutes. */
  isOwnerJustTold: boolean;
  /** Whether the owner can be written to. */
  hasOwnerChat: boolean;
  arePaymentsStopped: boolean;
  hasEvidence: boolean;
}
