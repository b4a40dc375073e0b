/** Orders within the window of the approval limit, in base units; declined orders do not count. */
export interface OrderedLately {
  byCommunity: bigint;
  /** By the person, and by accounts that may be the same person (`responsibleIds`). */
  byPerson: bigint;
}

/** How long an order counts towards the approval limit. */
export const APPROVAL_WINDOW_HOURS = 24;

/**
 * Whether another super admin must approve an order of payouts. The limit covers all orders of the community and of the
 * person within 24 hours, so splitting an order gains nothing. The order that crosses the limit waits, and so does
 * every further one until earlier orders are a day old.
 * @param units of this order, in base units
 * @param above the limit in base units; null: approval is never needed
 */
export function needsApproval(units: bigint, lately: OrderedLately, above: bigint | null): boolean {
  if (above === null) return false;
  return lately.byCommunity + units > above || lately.byPerson + units > above;
}
