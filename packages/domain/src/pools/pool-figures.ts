import { ExactDecimal } from '../money/exact-decimal.ts';
import { type DrawdownPoint, drawdownSeries } from '../trading/drawdown.ts';

/** Reference of all splits, in per cent (super-admin spec, section 9). */
const TOTAL_SPLIT = 15;
const LOW_RETURN = '0.1';
const HIGH_RETURN = '0.3';
const DECIMALS = 18;

/** An unarchived community. Decimal strings: USD and per cent. */
export interface SummarizedCommunity {
  id: string;
  aum: string;
  splitPercentage: string;
  traderCount: number;
}

/** Figures of the summary cards. Decimal strings with at most 18 decimals: USD and per cent. */
export interface SummaryFigures {
  totalAum: string;
  /** The community with the highest AUM, the first of equals; null without communities. */
  highestAum: SummarizedCommunity | null;
  averageSplit: string;
  /** Below zero when the communities' average exceeds the reference. */
  superAdminSplit: string;
  communityCount: number;
  traderCount: number;
  averageTraders: string;
  revenueLow: string;
  revenueHigh: string;
}

/** The summary cards of the super admin dashboard. Figures are rounded once, at the end. */
export function summaryFigures(communities: readonly SummarizedCommunity[]): SummaryFigures {
  const count = communities.length;
  let aum = new ExactDecimal(0);
  let splits = new ExactDecimal(0);
  let traders = 0;
  let highest: SummarizedCommunity | null = null;
  for (const community of communities) {
    aum = aum.plus(community.aum);
    splits = splits.plus(community.splitPercentage);
    traders += community.traderCount;
    if (highest === null || new ExactDecimal(community.aum).gt(highest.aum)) highest = community;
  }
  const averageSplit = splits.div(count || 1);
  const superSplit = new ExactDecimal(TOTAL_SPLIT).minus(averageSplit);
  const revenue = (monthlyReturn: string) => aum.times(monthlyReturn).times(superSplit).div(100).div(2);
  const text = (value: InstanceType<typeof ExactDecimal>) => value.toDecimalPlaces(DECIMALS).toFixed();
  return {
    totalAum: text(aum),
    highestAum: highest,
    averageSplit: text(averageSplit),
    superAdminSplit: text(superSplit),
    communityCount: count,
    traderCount: traders,
    averageTraders: text(new ExactDecimal(traders).div(count || 1)),
    revenueLow: text(revenue(LOW_RETURN)),
    revenueHigh: text(revenue(HIGH_RETURN)),
  };
}

/** A valued cycle. Amounts are base units. */
export interface ValuedCycle {
  cycleNumber: number;
  day: string;
  /** Capital before the result. */
  openingUnits: bigint;
  resultUnits: bigint;
  feeUnits: bigint;
}

export interface IndexPoint extends DrawdownPoint {
  cycleNumber: number;
  /** The unit price after fees; `equity` is the one before them. */
  netPrice: string;
}

/**
 * The unit price of a pool by cycle: 1 at first, then multiplied by the return on the opening capital. Deposits and
 * withdrawals do not move it, so its drawdown is that of the trading. A cycle without capital has no return.
 * @param cycles oldest first
 */
export function indexSeries(cycles: readonly ValuedCycle[]): IndexPoint[] {
  let gross = new ExactDecimal(1);
  let net = new ExactDecimal(1);
  const prices = cycles.map(({ openingUnits, resultUnits, feeUnits, day }) => {
    if (openingUnits > 0n) {
      gross = grown(gross, openingUnits, resultUnits);
      net = grown(net, openingUnits, resultUnits - feeUnits);
    }
    return { day, equity: gross.toFixed(), net: net.toFixed() };
  });
  // The series starts at 1, so a first cycle with a loss has a drawdown.
  const [, ...points] = drawdownSeries([{ day: '', equity: '1' }, ...prices]);
  return points.map(({ day, equity, drawdown }, index) => ({
    day,
    equity,
    drawdown,
    cycleNumber: cycles[index]?.cycleNumber ?? 0,
    netPrice: prices[index]?.net ?? '1',
  }));
}

function grown(price: InstanceType<typeof ExactDecimal>, openingUnits: bigint, resultUnits: bigint) {
  return price
    .times((openingUnits + resultUnits).toString())
    .div(openingUnits.toString())
    .toDecimalPlaces(DECIMALS);
}
