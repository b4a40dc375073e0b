import { PAYOUT_STATUSES, type PayoutStatus } from '../catalogue.ts';
import type { TransferState } from './transfers/transfer-states.ts';

/** States of a transfer that moved nothing, and never will. */
export const MOVED_NOTHING = ['reverted', 'cancelled', 'void'] as const satisfies readonly TransferState[];

/**
 * Whether the tokens of a share may be consolidated: none is ordered, or the ordered one moved nothing.
 * @param consolidation its state; null: none was ordered
 */
export const isFree = (consolidation: TransferState | null): boolean =>
  consolidation === null || (MOVED_NOTHING as readonly TransferState[]).includes(consolidation);

const UNSENT = ['pending', 'consolidating', 'consolidated'] as const satisfies readonly PayoutStatus[];
const UNPAID = PAYOUT_STATUSES.filter((status) => status !== 'distributed');

interface PayoutMove {
  /** Statuses in which it may happen. */
  from: readonly PayoutStatus[];
  to: PayoutStatus;
}

/** What happens to a payout, and its status afterwards. Each change of a status is one of these. */
export const PAYOUT_MOVES = {
  /** Its transfers were ordered, and deposits have to arrive first. */
  ordered: { from: ['pending', 'consolidating', 'failed'], to: 'consolidating' },
  /** Its transfers were ordered, and its tokens are in the community's wallet already. */
  ordered_with_deposits: { from: ['pending', 'consolidating', 'failed'], to: 'consolidated' },
  deposits_arrived: { from: ['pending', 'consolidating'], to: 'consolidated' },
  /** None of its deposits can arrive. */
  deposits_failed: { from: ['pending', 'consolidating'], to: 'failed' },
  signed: { from: UNSENT, to: 'distributing' },
  // The chain decides: its transfers are booked in any status.
  paid: { from: UNPAID, to: 'distributed' },
  moved_nothing: { from: UNPAID, to: 'failed' },
  /** Cancelled before it was signed. */
  taken_back: { from: [...UNSENT, 'failed'], to: 'failed' },
  declined: { from: ['pending'], to: 'failed' },
  /** Its shares were ordered again, as part of another payout. */
  sent_again: { from: ['failed'], to: 'failed' },
} as const satisfies Record<string, PayoutMove>;
export type PayoutEvent = keyof typeof PAYOUT_MOVES;

/**
 * Whether a payout can go on without the shares whose deposits are stuck. With nothing else to pay, it fails instead.
 * @param units its amount
 * @param stuckUnits the part of it that is stuck
 */
export const goesOnWithout = (units: bigint, stuckUnits: bigint): boolean =>
  stuckUnits > 0n && stuckUnits < units;

/** A failed payout has tokens at this trader's deposit address that no consolidation moves. */
export interface StrandedAt {
  payoutId: string;
  traderId: string;
}

/**
 * The failed payouts that are paid again together with these. A deposit address is emptied once, for all of them; those
 * that share an address with one of these belong to it too.
 * @returns the others, each with the one of the given that takes it along
 */
export function belongingTo(ids: readonly string[], stranded: readonly StrandedAt[]): Map<string, string> {
  const byTrader = Map.groupBy(stranded, ({ traderId }) => traderId);
  const byPayout = Map.groupBy(stranded, ({ payoutId }) => payoutId);
  const found = new Map(ids.map((id) => [id, id]));
  // A map is walked in the order of insertion, including what is added meanwhile.
  for (const [payoutId, by] of found)
    byPayout.get(payoutId)?.forEach(({ traderId }) => {
      for (const other of byTrader.get(traderId) as StrandedAt[])
        if (!found.has(other.payoutId)) found.set(other.payoutId, by);
    });
  for (const id of ids) found.delete(id);
  return found;
}
