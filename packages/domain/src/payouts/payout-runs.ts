// Several communities paid as one: which of their recipients a run pays, and which communities it leaves out.

/** The most payouts of a run: one order under the locks of all its communities. */
export const MOST_RUN_PAYOUTS = 5_000;

/** The most communities of a run. */
export const MOST_RUN_COMMUNITIES = 200;

/** Why a run does not pay a selected community, the first that applies. */
export const RUN_EXCLUSIONS = [
  'wallet_not_ready',
  'nothing_payable',
  /**
   * A payout above the largest one takes two more people and an order of its own: `allow_once` of Distribute.
   */
  'above_maximum',
  'all_below_minimum',
] as const;
export type RunExclusion = (typeof RUN_EXCLUSIONS)[number];

/** Base units. */
export interface RunBounds {
  /** A payout below it stays pending. */
  minimumUnits: bigint;
  /** The largest payout; null: any. */
  maximumUnits: bigint | null;
}

/** What a run pays of a community: each line would be one payout. */
export type RunShare<Line> =
  | { reason: null; paid: Line[]; carried: Line[] }
  /** `units` could be paid otherwise. */
  | { reason: RunExclusion; units: bigint };

/**
 * Decides what a run pays of a community. A community is paid in the run or not at all: one payout above the largest
 * leaves all of it to an order of its own, so that what takes three people does not hold up the others.
 * @param lines what can be paid now, a line for each recipient and role
 */
export function shareOfRun<Line extends { units: bigint }>(
  lines: readonly Line[],
  { hasWallet, minimumUnits, maximumUnits }: RunBounds & { hasWallet: boolean },
): RunShare<Line> {
  const units = lines.reduce((sum, line) => sum + line.units, 0n);
  if (!hasWallet) return { reason: 'wallet_not_ready', units };
  if (lines.length === 0) return { reason: 'nothing_payable', units };
  if (maximumUnits !== null && lines.some((line) => line.units > maximumUnits))
    return { reason: 'above_maximum', units };
  const paid = lines.filter((line) => line.units >= minimumUnits);
  if (paid.length === 0) return { reason: 'all_below_minimum', units };
  return { reason: null, paid, carried: lines.filter((line) => line.units < minimumUnits) };
}
