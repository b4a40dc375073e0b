import { type SplitPart, splitInvoice } from '@copydesk/domain';
import type { CommunityWithSettings } from '../communities-queries.ts';

/** 100 USDT in base units. */
const SAMPLE_UNITS = 100n * 10n ** 18n;
const CENT_UNITS = 10n ** 16n;

/** Who gets what of an invoice of 100 USDT, with 2 decimals. */
export interface SampleSplit {
  mark: string;
  community: string;
  referrer: string;
  platform: string;
}

export interface PreviewRow {
  provider: string;
  before: SampleSplit | null;
  /** Null: the provider and the community together would get more than there is. */
  after: SampleSplit | null;
}

/** What a change of the split does to the invoices of each provider, for a trader who was not referred. */
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

function sampleOf(parts: SplitPart[] | null): SampleSplit | null {
  if (!parts) return null;
  const amount = (...types: SplitPart['recipientType'][]) =>
    dollars(parts.filter((part) => types.includes(part.recipientType)));
  return {
    mark: amount('mark'),
    community: amount('community'),
    referrer: amount('community_referrer'),
    platform: amount('hexmount', 'sixk'),
  };
}

/** Exact: a percentage with 2 decimals of 100 has no smaller part than a cent. */
function dollars(parts: readonly SplitPart[]): string {
  const cents = parts.reduce((sum, { amountUnits }) => sum + amountUnits, 0n) / CENT_UNITS;
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
}
