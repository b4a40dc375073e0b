import { ExactDecimal } from '../money/exact-decimal.ts';

/** One row of the tier table: the minimum AUM of a level (USD, decimal string). */
export interface VipTier {
  level: number;
  name: string;
  minAum: string;
}

export interface VipStanding {
  level: number;
  name: string;
  /** The next tier up, with the AUM still missing; null at the top. */
  next: { level: number; name: string; minAum: string; missingAum: string } | null;
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
    next: next ? { ...next, missingAum: new ExactDecimal(next.minAum).minus(aum).toFixed() } : null,
  };
}
