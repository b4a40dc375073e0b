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

/** An equity curve with its drawdown. @param points by day, oldest first */
export function drawdownSeries(points: readonly EquityPoint[]): DrawdownPoint[] {
  let peak = new ExactDecimal(0);
  return points.map(({ day, equity }) => {
    const amount = new ExactDecimal(equity);
    peak = ExactDecimal.max(peak, amount);
    // Equity below zero counts as a loss of 100 per cent, because no more than the peak can be lost.
    const lost = peak.gt(0) ? ExactDecimal.min(1, peak.minus(amount).div(peak)) : new ExactDecimal(0);
    return { day, equity, drawdown: percentLost(lost) };
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
