/** A chart with fewer points says less than their figures. */
export const FEWEST_POINTS = 5;
export const CHART_PX = 200;
/** Of a chart with a lesser one below it. */
export const UPPER_PX = 128;
export const LOWER_PX = CHART_PX - UPPER_PX;
export const AXIS_TEXT = { fontSize: 12, fill: 'var(--muted)' } as const;

const MOST_LABELS = 5;
/** What is within this part of its largest value would be a flat line above zero. */
const FLAT = 0.5;

export interface ValueAxis {
  domain: [number, number];
  ticks: number[];
  /** The axis does not reach zero, which the chart has to say. */
  isBroken: boolean;
}

/** An axis from zero, or from a round value below what differs little; at most five ticks, each with its own label. */
export function valueAxis(values: readonly number[], labelOf: (value: number) => string): ValueAxis {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  const lowest = Math.min(...values);
  const isBroken = values.length > 0 && lowest > 0 && most - lowest < most * FLAT;
  const from = isBroken ? lowest : least;
  const step = roundStep((most - from || MOST_LABELS - 1) / (MOST_LABELS - 1));
  const first = Math.floor(from / step);
  const last = Math.max(first + 1, Math.ceil(most / step));
  const all = Array.from({ length: last - first + 1 }, (_, at) =>
    Number(((first + at) * step).toPrecision(12)),
  );
  const every = Math.ceil(all.length / MOST_LABELS);
  const labels = new Set<string>();
  const ticks = all.filter((value, at) => {
    const isShown = at % every === 0 && !labels.has(labelOf(value));
    if (isShown) labels.add(labelOf(value));
    return isShown;
  });
  return { domain: [all[0] ?? 0, all.at(-1) ?? 1], ticks, isBroken: isBroken && first > 0 };
}

/** The next of 1, 2, 2.5 and 5 times a power of ten. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 2.5, 5, 10].find((one) => one * power >= least) ?? 10;
  return factor * power;
}

/** At most five of the days, evenly spread, the first of them included. */
export function dayTicks(days: readonly { day: string }[]): string[] {
  const every = Math.ceil(days.length / MOST_LABELS);
  return days.filter((_, at) => at % every === 0).map(({ day }) => day);
}
