import { ExactDecimal } from '../money/exact-decimal.ts';

/** Equity in USD at the end of a day, `2026-01-31`. */
export interface EquityPoint {
  day: string;
  equity: string;
}

export interface DrawdownPoint extends EquityPoint {
  /** Distance of equity from its highest value so far, in per cent: zero or less. */
  drawdown: string;
}

const DECIMALS = 8;

/**
 * An equity curve with its drawdown.
 * @param points by day, oldest first
 * @param before the highest equity before them, a decimal string
 */
export function drawdownSeries<P extends EquityPoint>(
  points: readonly P[],
  before = '0',
): (P & DrawdownPoint)[] {
  let peak = new ExactDecimal(before);
  return points.map((point) => {
    const amount = new ExactDecimal(point.equity);
    peak = ExactDecimal.max(peak, amount);
    // Equity below zero counts as a loss of 100 per cent, because no more than the peak can be lost.
    const lost = peak.gt(0) ? ExactDecimal.min(1, peak.minus(amount).div(peak)) : new ExactDecimal(0);
    return { ...point, drawdown: percentLost(lost) };
  });
}

/** The deepest point of a series; null for an empty one. */
export function deepestDrawdown(series: readonly DrawdownPoint[]): DrawdownPoint | null {
  return series.reduce<DrawdownPoint | null>(
    (deepest, point) =>
      deepest === null || new ExactDecimal(point.drawdown).lt(deepest.drawdown) ? point : deepest,
    null,
  );
}

function percentLost(part: InstanceType<typeof ExactDecimal>): string {
  return part.isZero() ? '0' : part.times(-100).toDecimalPlaces(DECIMALS).toFixed();
}
