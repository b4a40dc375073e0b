import type { Decimal } from 'decimal.js';
import { ExactDecimal } from '../../money/exact-decimal.ts';

/** The platform's reference total split, in per cent of an invoice (super-admin spec, section 9). */
const TOTAL_SPLIT_PERCENTAGE = 15;
/** Monthly returns that the revenue estimate assumes, in per cent of the AUM (super-admin spec, section 9). */
const LOW_RETURN_PERCENTAGE = 10;
const HIGH_RETURN_PERCENTAGE = 30;

/** A community as the dashboard's figures need it. */
export interface DashboardCommunity {
  name: string;
  isArchived: boolean;
  /** USD, a decimal string. */
  totalAum: string;
  traderCount: number;
  /** Per cent of the full amount invoiced from traders, a decimal string. */
  splitPercentage: string;
}

/** Figures of the communities that are not archived. Amounts are USD and exact, as decimal strings. */
export interface DashboardFigures {
  totalAum: string;
  /** The community with the most AUM; null while no community has any. */
  highest: { name: string; totalAum: string } | null;
  communityCount: number;
  traderCount: number;
  /** Traders per community; null without a community. */
  averageTraders: number | null;
  /** Figures that depend on the mean of the communities' splits; null without a community. */
  split: {
    /** The plain mean over communities, in per cent. */
    communityPercentage: string;
    /** The rest of the platform's total split; negative when communities get more on average. */
    superAdminPercentage: string;
    /** The estimated monthly revenue, negative under a negative split: `low` at 10 % returns, `high` at 30 %. */
    revenue: { low: string; high: string };
  } | null;
}

/** The summary figures of the Super Admin Dashboard (super-admin spec, sections 2 and 9). */
export function dashboardFigures(communities: readonly DashboardCommunity[]): DashboardFigures {
  const active = communities.filter(({ isArchived }) => !isArchived);
  const count = active.length;
  const traderCount = active.reduce((sum, community) => sum + community.traderCount, 0);
  const totalAum = active.reduce((sum, community) => sum.plus(community.totalAum), new ExactDecimal(0));
  return {
    totalAum: totalAum.toFixed(),
    highest: findHighest(active),
    communityCount: count,
    traderCount,
    averageTraders: count === 0 ? null : traderCount / count,
    split: count === 0 ? null : splitFigures(active, totalAum),
  };
}

function findHighest(active: readonly DashboardCommunity[]): DashboardFigures['highest'] {
  const [first] = active.toSorted((a, b) => new ExactDecimal(b.totalAum).comparedTo(a.totalAum));
  return first && new ExactDecimal(first.totalAum).greaterThan(0)
    ? { name: first.name, totalAum: first.totalAum }
    : null;
}

function splitFigures(active: readonly DashboardCommunity[], totalAum: Decimal) {
  const sum = active.reduce((total, { splitPercentage }) => total.plus(splitPercentage), new ExactDecimal(0));
  const count = active.length;
  // The platform's total before the division: an average with endless digits is then rounded once.
  const superAdminSum = new ExactDecimal(TOTAL_SPLIT_PERCENTAGE).times(count).minus(sum);
  const revenueAt = (returnPercentage: number) =>
    totalAum
      .times(returnPercentage)
      .times(superAdminSum)
      .div(count * 100 * 100 * 2)
      .toFixed();
  return {
    communityPercentage: sum.div(count).toFixed(),
    superAdminPercentage: superAdminSum.div(count).toFixed(),
    revenue: { low: revenueAt(LOW_RETURN_PERCENTAGE), high: revenueAt(HIGH_RETURN_PERCENTAGE) },
  };
}
