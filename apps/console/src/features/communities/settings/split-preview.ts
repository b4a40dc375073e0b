import { type SplitRow, sampleSplit } from '../../../lib/sample-split.ts';
import type { CommunityWithSettings } from '../communities-queries.ts';

/** The effect of a new percentage on the invoices of each provider. */
export function previewSplit(community: CommunityWithSettings, percentage: string): SplitRow[] {
  return community.providers.map(({ display_name, payment_split_percentage }) => {
    const sample = (communityPercentage: string) =>
      sampleSplit({
        providerShare: String(payment_split_percentage),
        communityPercentage,
        hasCommunityReferrer: community.referrer_wallet_address !== null,
      });
    return {
      name: display_name,
      before: sample(String(community.split_percentage)),
      after: sample(percentage),
    };
  });
}
