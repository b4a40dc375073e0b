/** Who may have an address that the platform pays to. */
export const OWNER_KINDS = ['provider', 'community', 'community_referrer', 'trader', 'platform'] as const;
export type OwnerKind = (typeof OWNER_KINDS)[number];

/** Whether a recipient is paid to its present address: `held` by a change, `missing` without one. */
export const RECIPIENT_STATES = ['payable', 'held', 'missing'] as const;
export type RecipientState = (typeof RECIPIENT_STATES)[number];

/** What is new or unusual about paying a recipient, the most telling first. */
export const RECIPIENT_NEWS = ['first_payment', 'address_changed', 'above_usual'] as const;
export type RecipientNews = (typeof RECIPIENT_NEWS)[number];

/**
 * Payouts to an address are counted up to this number: a recipient that was paid this often is well known.
 */
export const MOST_PAID_COUNTED = 100;
/** How many of the last orders say what is usual: a quarter of weekly ones, or a year of monthly ones. */
export const USUAL_OF_LAST = 12;
/** With fewer earlier orders, there is no usual amount. */
const USUAL_FROM = 3;
/** An amount is unusual above this many times the usual one. */
const UNUSUAL_FROM_TIMES = 2n;
/**
 * A changed address counts as new for this long: it outlives its waiting time, and one order a month meets
 * it.
 */
const CHANGE_IS_NEW_MS = 30 * 86_400_000;

/** What is known of an address before an order pays to it. */
export interface RecipientHistory {
  /** Payouts that have arrived there, at most `MOST_PAID_COUNTED`. */
  paidCount: number;
  /** What its last orders paid it, all roles of an order together, in base units; at most `USUAL_OF_LAST`. */
  lastUnits: readonly bigint[];
  /** When the address of the last of its present owners was changed; null: never. */
  addressChangedAt: Date | null;
}

/**
 * The median of what earlier orders paid, in base units; null: too few. Of an even number, the lower of the two in the
 * middle, so that it is an amount that was paid, and the more careful one.
 */
export function usualUnits({ lastUnits }: Pick<RecipientHistory, 'lastUnits'>): bigint | null {
  if (lastUnits.length < USUAL_FROM) return null;
  const sorted = lastUnits.toSorted((a, b) => (a < b ? -1 : 1));
  return sorted[Math.floor((sorted.length - 1) / 2)] as bigint;
}

/** @param units what the largest distribution of the order pays to the address, all roles together */
export function recipientNews(history: RecipientHistory, units: bigint, now: Date): RecipientNews[] {
  const { paidCount, addressChangedAt } = history;
  const usual = usualUnits(history);
  const is: Record<RecipientNews, boolean> = {
    first_payment: paidCount === 0,
    address_changed:
      addressChangedAt !== null && now.getTime() - addressChangedAt.getTime() < CHANGE_IS_NEW_MS,
    above_usual: usual !== null && units > usual * UNUSUAL_FROM_TIMES,
  };
  return RECIPIENT_NEWS.filter((news) => is[news]);
}
