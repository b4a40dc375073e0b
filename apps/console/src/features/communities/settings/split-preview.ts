import { type SplitPart, shownParts, splitInvoice, unitsToDecimal } from '@copydesk/domain';
import type { CommunityWithSettings } from '../communities-queries.ts';

/** 100 USDT in base units. */
const SAMPLE_UNITS = 100n * 10n ** 18n;

/** The shares of an invoice of 100 USDT, with 2 decimals. */
export interface SampleSplit {
  mark: string;
  community: string;
  referrer: string;
  platform: string;
}

export interface PreviewRow {
  provider: string;
  before: SampleSplit | null;
  /** Null: the shares of provider and community together would exceed the invoice. */
  after: SampleSplit | null;
}

/** The effect of a new percentage on the invoices of each provider, for a trader who was not referred. */
export function previewSplit(community: CommunityWithSettings, percentage: string): PreviewRow[] {
  return community.providers.map(({ display_name, payment_split_percentage }) => {
    const sample = (communityPercentage: string) =>
      sampleOf(
        splitInvoice(SAMPLE_UNITS, {
          providerShare: String(payment_split_percentage),
          communityPercentage,
          hasCommunityReferrer: community.referrer_wallet_address !== null,
          traderReferralPercentage: null,
        }),
      );
    return {
      provider: display_name,
      before: sample(String(community.split_percentage)),
      after: sample(percentage),
    };
  });
}

/** Parts are rounded together, so that they sum to 100.00 whatever the provider's share is. */
function sampleOf(parts: SplitPart[] | null): SampleSplit | null {
  if (!parts) return null;
  const unitsOf = (...types: SplitPart['recipientType'][]) =>
    parts
      .filter((part) => types.includes(part.recipientType))
      .reduce((sum, { amountUnits }) => sum + amountUnits, 0n);
  const units = [
    unitsOf('mark'),
    unitsOf('community'),
    unitsOf('community_referrer'),
    unitsOf('hexmount', 'sixk'),
  ];
  const [mark = '', community = '', referrer = '', platform = ''] = shownParts(units.map(unitsToDecimal));
  return { mark, community, referrer, platform };
}
