import type { DashboardFigures } from '@copydesk/domain/pools';
import { formatCount, formatWholeUsd, numberFormat } from '../../../lib/format/numbers.ts';

const average = numberFormat({ maximumFractionDigits: 1 });
// Halves are rounded in opposite directions, so that the two splits still make 15% as displayed.
const communityShare = numberFormat({
  maximumFractionDigits: 2,
  roundingMode: 'halfCeil',
  signDisplay: 'negative',
});
const platformShare = numberFormat({
  maximumFractionDigits: 2,
  roundingMode: 'halfFloor',
  signDisplay: 'negative',
});

/** The text of a figure that cannot be computed. */
export const UNKNOWN = 'N/A';

type Split = NonNullable<DashboardFigures['split']>;

/** The communities' average split, as displayed: `5.75%`. */
export const communitySplitWords = ({ communityPercentage }: Split) =>
  `${communityShare(communityPercentage)}%`;

/** The platform's part beside it: `9.25%`. */
export const superAdminSplitWords = ({ superAdminPercentage }: Split) =>
  `${platformShare(superAdminPercentage)}%`;

/** The estimated revenue: `$18,500 to $55,500`. */
export const revenueWords = ({ revenue }: Split) =>
  `${formatWholeUsd(revenue.low)} to ${formatWholeUsd(revenue.high)}`;

export function tradersWords(averageTraders: number | null): string {
  return averageTraders === null
    ? 'No active community'
    : `${average(averageTraders)} traders per community on average`;
}

export const countsWords = ({ communityCount, traderCount }: DashboardFigures) =>
  `${formatCount(communityCount)} / ${formatCount(traderCount)}`;
