/** The limits of payouts that an installation starts with, whole USDT. */
export interface ProposedLimits {
  /** All payouts of 24 hours. */
  maxPerDay: number;
  /** One payout. */
  maxPerTransaction: number;
  /** Orders of 24 hours above which a second super admin decides. */
  approvalAbove: number;
  /** Any single transfer of tokens, whatever the settings say. */
  hardMax: number;
}

/**
 * The limits to begin with: a day may be twice as large as expected, one payout as large as an expected day, and a
 * second person sees what is a fifth of it. No single transfer needs more than a day may send in all.
 * @param perDayUsdt payouts that are expected in a day, whole USDT above 0
 * @throws RangeError for any other number
 */
export function proposeLimits(perDayUsdt: number): ProposedLimits {
  if (!Number.isSafeInteger(perDayUsdt) || perDayUsdt < 1)
    throw new RangeError('The expected payouts of a day are a whole number of USDT, 1 or more.');
  return {
    maxPerDay: perDayUsdt * 2,
    maxPerTransaction: perDayUsdt,
    approvalAbove: Math.max(1, Math.floor(perDayUsdt / 5)),
    hardMax: perDayUsdt * 2,
  };
}
