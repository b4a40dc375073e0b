/** Whether a person may see the secrets of an exchange account. The platform and its provider may each refuse. */
export function mayReveal({
  isSuper,
  isPlatformSuperOnly,
  isProviderSuperOnly,
}: {
  isSuper: boolean;
  isPlatformSuperOnly: boolean;
  isProviderSuperOnly: boolean;
}): boolean {
  return isSuper || !(isPlatformSuperOnly || isProviderSuperOnly);
}

/** One reveal is one exchange account for this long, whichever of its secrets and however often. */
const REVEAL_MINUTES = 10;
/** Accounts that a person may reveal within an hour; each reason given within it opens as many more. */
export const REVEALS_PER_HOUR = 10;
/** More different accounts of one person within a day alarm the super admins, however slowly. */
export const ACCOUNTS_PER_DAY = 50;

const HOUR_MS = 3_600_000;
/** Reveals that are older decide nothing any more. */
export const REVEALS_COUNT_MS = 24 * HOUR_MS;

/** Why a reveal alarms: a second reason within the hour, or too many different accounts within a day. */
export type RevealBurst = 'reasons' | 'accounts';

export interface Reveal {
  accountId: string;
  at: Date;
  /** It was opened by a reason. */
  hasReason: boolean;
  burst: RevealBurst | null;
}

export type RevealDecision =
  | { kind: 'reason_required' }
  /** The account is revealed already: nothing is counted. */
  | { kind: 'repeated'; left: number }
  | { kind: 'counted'; takesReason: boolean; burst: RevealBurst | null; left: number };

/**
 * Decides about one more reveal of a person. A reason that is not needed is not taken, so none can be given in advance.
 * @param before the reveals of that person within `REVEALS_COUNT_MS`, in any order
 * @returns `left`: accounts that can be revealed afterwards before a reason is needed
 */
export function decideReveal(
  before: readonly Reveal[],
  { accountId, hasReason, at }: { accountId: string; hasReason: boolean; at: Date },
): RevealDecision {
  const isWithin = (ms: number) => (each: Reveal) => at.getTime() - each.at.getTime() < ms;
  const ofHour = before.filter(isWithin(HOUR_MS));
  const reasons = ofHour.filter((each) => each.hasReason).length;
  const left = (1 + reasons) * REVEALS_PER_HOUR - ofHour.length;
  const isSame = (each: Reveal) => each.accountId === accountId;
  if (before.some((each) => isSame(each) && isWithin(REVEAL_MINUTES * 60_000)(each)))
    return { kind: 'repeated', left: Math.max(0, left) };
  const takesReason = left <= 0;
  if (takesReason && !hasReason) return { kind: 'reason_required' };
  const ofDay = before.filter(isWithin(REVEALS_COUNT_MS));
  const accounts = new Set([accountId, ...ofDay.map((each) => each.accountId)]).size;
  const isManyAccounts = accounts > ACCOUNTS_PER_DAY && ofDay.every(({ burst }) => burst !== 'accounts');
  return {
    kind: 'counted',
    takesReason,
    burst: isManyAccounts ? 'accounts' : takesReason && reasons > 0 ? 'reasons' : null,
    left: Math.max(0, left + (takesReason ? REVEALS_PER_HOUR : 0) - 1),
  };
}
