import { ExactDecimal } from '../money/exact-decimal.ts';

/** One row of the tier table: the minimum AUM of a level (USD, decimal string). */
export interface VipTier {
  level: number;
  name: string;
  minAum: string;
  /** What the platform offers at this level; empty: nothing. */
  benefits: string;
}

export interface VipStanding {
  level: number;
  name: string;
  benefits: string;
  /** The next tier up, with the AUM still missing; null at the top. */
  next: (VipTier & { missingAum: string | null }) | null;
  /** How far the AUM is from this tier to the next, 0 to 1; 1 at the top. */
  progress: number | null;
}

/**
 * The VIP level that an AUM reaches.
 * @param aum USD, decimal string
 * @param tiers in any order; below the lowest tier the standing is level 0, "Standard"
 */
export function decideVip(aum: string, tiers: readonly VipTier[]): VipStanding {
  const ascending = [...tiers].sort((a, b) => new ExactDecimal(a.minAum).cmp(b.minAum));
  const reached = ascending.filter((tier) => new ExactDecimal(aum).gte(tier.minAum)).at(-1);
  const next = ascending.find((tier) => new ExactDecimal(aum).lt(tier.minAum));
  return {
    level: reached?.level ?? 0,
    name: reached?.name ?? 'Standard',
    benefits: reached?.benefits ?? '',
    next: next ? { ...next, missingAum: new ExactDecimal(next.minAum).minus(aum).toFixed() } : null,
    progress: next ? shareOf(aum, reached?.minAum ?? '0', next.minAum) : 1,
  };
}

/**
 * The same when only a trader's level is known, not its AUM: what is missing and the progress are null.
 * @param level 0: below the lowest tier
 */
export function vipStanding(level: number, tiers: readonly VipTier[]): VipStanding {
  const reached = tiers.find((tier) => tier.level === level);
  const { name, benefits, next } = decideVip(reached?.minAum ?? '0', tiers);
  return {
    level,
    name,
    benefits,
    next: next && { ...next, missingAum: null },
    progress: next ? null : 1,
  };
}

/** Where a value lies between two bounds, 0 to 1. */
function shareOf(value: string, from: string, to: string): number {
  const share = new ExactDecimal(value).minus(from).div(new ExactDecimal(to).minus(from)).toNumber();
  return Math.min(1, Math.max(0, share));
}
