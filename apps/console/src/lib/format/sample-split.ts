import { type SplitPart, type SplitTerms, splitInvoice } from '@copydesk/domain/invoices';
import { shownParts, unitsToDecimal } from '@copydesk/domain/money';

/** 100 USDT in base units. */
const SAMPLE_UNITS = 100n * 10n ** 18n;

/** The shares of an invoice of 100 USDT, with 2 decimals. */
export interface SampleSplit {
  mark: string;
  community: string;
  referrer: string;
  platform: string;
}

const PARTS: readonly { id: keyof SampleSplit; label: string }[] = [
  { id: 'mark', label: 'Mark' },
  { id: 'community', label: 'Community' },
  { id: 'referrer', label: 'Referrer' },
  { id: 'platform', label: 'Platform' },
];

/** The words of the table that previews a split. */
export const splitPreview = (hasReferrer: boolean) => ({
  caption: 'Of an invoice of 100 USDT',
  parts: PARTS.filter(({ id }) => hasReferrer || id !== 'referrer'),
  impossible: 'More than the invoice',
});

/** A row of a preview: what a change does to the invoices of one provider in one community. */
export interface SplitRow {
  name: string;
  before: SampleSplit | null;
  /** Null: the shares of provider and community together would exceed the invoice. */
  after: SampleSplit | null;
}

/** The split of 100 USDT for a trader who was not referred. */
export function sampleSplit(terms: Omit<SplitTerms, 'traderReferralPercentage'>): SampleSplit | null {
  const parts = splitInvoice(SAMPLE_UNITS, { ...terms, traderReferralPercentage: null });
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
  // Rounded together, so that they sum to 100.00 whatever the provider's share is.
  const [mark = '', community = '', referrer = '', platform = ''] = shownParts(units.map(unitsToDecimal));
  return { mark, community, referrer, platform };
}
