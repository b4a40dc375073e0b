import { ExactDecimal } from '../money/exact-decimal.ts';
import { BUSINESS_DEFAULTS } from '../settings/business-defaults.ts';
import { type SplitTerms, splitInvoice } from './split.ts';

/** The community's terms in the split of its traders' invoices. Shares as in `SplitTerms`. */
export type CommunitySplit = Pick<SplitTerms, 'communityPercentage' | 'hasCommunityReferrer'>;

/** A provider whose traders' invoices are split under the terms of a community. */
export interface SplitProvider {
  name: string;
  /** As a fraction, 0 to 1; null when the provider is unknown. */
  providerShare: string | null;
}

/** The providers whose invoices these terms would split into more than the whole. */
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
 * The largest percentage that a community can have beside a provider, with at most 2 decimals; `0` when nothing is
 * left.
 */
export function largestCommunityPercentage(
  providerShare: string | null,
  hasCommunityReferrer: boolean,
): string {
  const mark = new ExactDecimal(providerShare ?? BUSINESS_DEFAULTS.unknownProviderShare).times(100);
  const referrer = hasCommunityReferrer ? BUSINESS_DEFAULTS.communityReferrerPercentage : '0';
  return ExactDecimal.max(0, new ExactDecimal(100).minus(mark).minus(referrer)).toFixed();
}

/**
 * The largest share that a provider can have in a community, as a fraction with at most 4 decimals; `0` when nothing is
 * left.
 */
export function largestProviderShare({ communityPercentage, hasCommunityReferrer }: CommunitySplit): string {
  const referrer = hasCommunityReferrer ? BUSINESS_DEFAULTS.communityReferrerPercentage : '0';
  const left = new ExactDecimal(100).minus(communityPercentage).minus(referrer);
  return ExactDecimal.max(0, left).div(100).toFixed();
}
