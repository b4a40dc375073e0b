import { mostOf } from '../../money/order-units.ts';
import type { HarvestState } from '../harvest/harvest-states.ts';

/**
 * Why a pool has no unbooked result: its result is booked and it does not trade; money is on its way to the exchange; the
 * exchange was not read since the pool began to trade; its withdrawals cannot be read, and they are what is missing there.
 */
export const UNBOOKED_GAPS = ['booked', 'moving', 'not_read', 'withdrawals_unread'] as const;
export type UnbookedGap = (typeof UNBOOKED_GAPS)[number];

/** Amounts are base units. */
export interface UnbookedFacts {
  state: HarvestState;
  /** Whether the result of the present cycle is decided. */
  isValued: boolean;
  /** USDT at the exchange with unrealised results, as read since the cycle began; null: not read. */
  readUnits: bigint | null;
  /** While the result is decided: as it would be booked. */
  decidedUnits: bigint | null;
  /** Withdrawn to the proxy wallet and not booked as returned; null: withdrawals cannot be read. */
  underWayUnits: bigint | null;
  /** By the books. */
  exchangeUnits: bigint;
  returnedUnits: bigint;
  lostInTransitUnits: bigint;
}

export type UnbookedResult = { units: bigint; gap: null } | { units: null; gap: UnbookedGap };

/**
 * The result of a cycle that is not booked yet: what is at the exchange, has returned or is on its way back, less what is
 * booked there. Money that changes its place is no result, so the figure stays the same from trading until the result is
 * decided.
 */
export function unbookedResult(facts: UnbookedFacts): UnbookedResult {
  const { state, readUnits, decidedUnits } = facts;
  const status = state.status === 'failed' ? state.failedFrom : state.status;
  if (status === 'stopping_harvesting') return none('moving');
  if (status === 'harvesting' || facts.isValued) return none('booked');
  if (status === 'processing_invoices')
    return decidedUnits === null ? none('not_read') : { units: decidedUnits, gap: null };
  if (readUnits === null) return none('not_read');
  if (facts.underWayUnits === null && status === 'awaiting_bybit_withdrawal')
    return none('withdrawals_unread');
  const held = readUnits + facts.returnedUnits + (facts.underWayUnits ?? 0n);
  return { units: held - facts.exchangeUnits - facts.lostInTransitUnits, gap: null };
}

const none = (gap: UnbookedGap): UnbookedResult => ({ units: null, gap });

/**
 * Base units booked at the exchange that have not returned to the proxy wallet. Until the valuation, returned money is
 * booked at both and would count twice.
 */
export function stillAtExchange({
  exchangeUnits,
  returnedUnits,
}: Pick<UnbookedFacts, 'exchangeUnits' | 'returnedUnits'>): bigint {
  return mostOf(exchangeUnits - returnedUnits, 0n);
}
