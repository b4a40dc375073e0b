const USDT = 10n ** 18n;

/** An amount in base units, or everything that the member has when it is reserved. */
export type WithdrawalAmount = bigint | 'all';

export interface WithdrawalRequest {
  requestId: string;
  memberId: string;
  requestedAt: Date;
  amount: WithdrawalAmount;
}

export type Reservation =
  | {
      requestId: string;
      memberId: string;
      units: bigint;
      /** Everything is more than one payout may be: the request goes on with another part. */
      goesOn: boolean;
    }
  /** Refused with the number that was available; never cut. */
  | {
      requestId: string;
      memberId: string;
      refusal: 'amount_above_capital' | 'nothing_to_withdraw';
      availableUnits: bigint;
    };

/**
 * Resolves queued withdrawals into reservations: amounts first, oldest first, then everything that is left, in parts of
 * the largest payout. The order in which they are given changes nothing.
 * @param availableUnits capital less reservations, by member id
 * @param largestUnits what one payout may be; null: anything
 */
export function planReservations(
  requests: readonly WithdrawalRequest[],
  availableUnits: ReadonlyMap<string, bigint>,
  largestUnits: bigint | null,
): Reservation[] {
  const left = new Map(availableUnits);
  return [...requests].sort(compareRequests).map(({ requestId, memberId, amount }) => {
    const available = left.get(memberId) ?? 0n;
    if (available === 0n)
      return { requestId, memberId, refusal: 'nothing_to_withdraw', availableUnits: available };
    const goesOn = amount === 'all' && largestUnits !== null && available > largestUnits;
    const units = goesOn ? largestUnits : amount === 'all' ? available : amount;
    if (units > available)
      return { requestId, memberId, refusal: 'amount_above_capital', availableUnits: available };
    left.set(memberId, available - units);
    return { requestId, memberId, units, goesOn };
  });
}

/** Whether a request should withdraw everything instead, because it would leave less than 1 USDT. */
export function suggestsAll(amount: bigint, availableUnits: bigint): boolean {
  return amount < availableUnits && availableUnits - amount < USDT;
}

function compareRequests(a: WithdrawalRequest, b: WithdrawalRequest): number {
  return (
    Number(a.amount === 'all') - Number(b.amount === 'all') ||
    a.requestedAt.getTime() - b.requestedAt.getTime() ||
    // Stryker disable next-line EqualityOperator: no two requests have the same id.
    (a.requestId < b.requestId ? -1 : 1)
  );
}
