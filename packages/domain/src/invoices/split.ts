import type { RecipientType } from '../catalogue.ts';
import { apportion } from '../money/apportion.ts';
import { ExactDecimal } from '../money/exact-decimal.ts';
import { BUSINESS_DEFAULTS } from '../settings/business-defaults.ts';

export interface SplitTerms {
  /** Provider's part as a fraction, 0 to 1, at most 4 decimals; null when the provider is unknown. */
  providerShare: string | null;
  /** Community's part in per cent, at most 2 decimals. */
  communityPercentage: string;
  hasCommunityReferrer: boolean;
  /** Per cent of the community's part, at most 2 decimals, for the trader's referrer; null without one. */
  traderReferralPercentage: string | null;
  /** How the platform's own recipients share the remainder; equally by default. */
  platformWeights?: PlatformWeights;
}

/** Whole numbers from 0 on, of which one at least is above. */
export interface PlatformWeights {
  hexmount: number;
  sixk: number;
}

export type SplitPart = { recipientType: RecipientType; amountUnits: bigint };

/** The finest share: a percentage with 2 decimals of a percentage with 2 decimals. */
const WHOLE = 100_000_000n;

/**
 * Splits an invoice among its recipients. Parts are rounded by largest remainder and sum to the whole exactly.
 * @param amountUnits token base units
 * @returns the parts above zero, or null when the terms leave the platform a negative remainder
 */
export function splitInvoice(amountUnits: bigint, terms: SplitTerms): SplitPart[] | null {
  const shares = sharesOf(terms);
  return shares && partsOf(amountUnits, shares);
}

/**
 * The parts of an invoice that was partly settled off-platform: the frozen parts, scaled to the remaining amount by
 * largest remainder. They sum to it exactly.
 * @param units the remaining amount, in base units
 */
export function scaleSplit(split: readonly SplitPart[], units: bigint): SplitPart[] {
  const shares = split.map(({ recipientType, amountUnits }) => ({ recipientType, weight: amountUnits }));
  return partsOf(units, shares);
}

interface Share {
  recipientType: RecipientType;
  weight: bigint;
}

function sharesOf(terms: SplitTerms): Share[] | null {
  const mark = parts(terms.providerShare ?? BUSINESS_DEFAULTS.unknownProviderShare, 1);
  const communityWhole = parts(terms.communityPercentage, 100);
  const communityReferrer = terms.hasCommunityReferrer
    ? parts(BUSINESS_DEFAULTS.communityReferrerPercentage, 100)
    : 0n;
  const traderReferrer = terms.traderReferralPercentage
    ? parts(
        new ExactDecimal(terms.traderReferralPercentage).times(terms.communityPercentage).toFixed(),
        10_000,
      )
    : 0n;
  const remainder = WHOLE - mark - communityWhole - communityReferrer;
  if (remainder < 0n || traderReferrer > communityWhole) return null;

  const { hexmount, sixk } = terms.platformWeights ?? { hexmount: 1, sixk: 1 };
  const platform = BigInt(hexmount + sixk);
  return [
    { recipientType: 'mark', weight: mark * platform },
    { recipientType: 'community', weight: (communityWhole - traderReferrer) * platform },
    { recipientType: 'community_referrer', weight: communityReferrer * platform },
    { recipientType: 'trader_referrer', weight: traderReferrer * platform },
    { recipientType: 'hexmount', weight: remainder * BigInt(hexmount) },
    { recipientType: 'sixk', weight: remainder * BigInt(sixk) },
  ];
}

/** A share in hundred-millionths. @param of the value of a whole: 1 for a fraction, 100 for a percentage */
function parts(share: string, of: number): bigint {
  return BigInt(new ExactDecimal(share).times(WHOLE.toString()).div(of).toFixed(0));
}

function partsOf(amountUnits: bigint, shares: readonly Share[]): SplitPart[] {
  const units = apportion(
    amountUnits,
    shares.map(({ weight }) => weight),
  );
  return shares
    .map(({ recipientType }, index) => ({ recipientType, amountUnits: units[index] ?? 0n }))
    .filter((part) => part.amountUnits > 0n);
}
