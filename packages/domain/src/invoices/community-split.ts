import { BUSINESS_DEFAULTS } from '../business-defaults.ts';
import { ExactDecimal } from '../money/exact-decimal.ts';
import { type SplitTerms, splitInvoice } from './split.ts';

/** What a community itself brings to the split of its traders' invoices. Shares as in `SplitTerms`. */
export type CommunitySplit = Pick<SplitTerms, 'communityPercentage' | 'hasCommunityReferrer'>;

/** Somebody whose traders' invoices are split under the terms of a community. */
export interface SplitProvider {
  name: string;
  /** As a fraction, 0 to 1; null when the provider is unknown. */
  providerShare: string | null;
}

/** The providers whose invoices these terms would split into more than there is. */
export function findExceededSplits<P extends SplitProvider>(
  terms: CommunitySplit,
  providers: readonly P[],
): P[] {
  return providers.filter(
    ({ providerShare }) =>
      splitInvoice(1n, { ...terms, providerShare, traderReferralPercentage: null }) === null,
  );
}

/**
 * The most that a community can be given beside a provider, in per cent with at most 2 decimals; `0` where there is
 * nothing left to give.
 */
export function largestCommunityPercentage(
  providerShare: string | null,
  hasCommunityReferrer: boolean,
): string {
  const mark = new ExactDecimal(providerShare ?? BUSINESS_DEFAULTS.unknownProviderShare).times(100);
  const referrer = hasCommunityReferrer ? BUSINESS_DEFAULTS.communityReferrerPercentage : '0';
  return ExactDecimal.max(0, new ExactDecimal(100).minus(mark).minus(referrer)).toFixed();
}
