import { shortDay } from '../../../lib/format/read-time.ts';

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
  const isBroken = values.length > 0 && most - lowest < most * FLAT;
  const from = isBroken ? lowest : least;
  let step = roundStep((most - from || MOST_LABELS - 1) / (MOST_LABELS - 1));
  let ticks = multiples(step, from, most);
  // Two ticks with one label: the step is finer than the labels say. The bound is for labels that never differ.
  for (let tries = 0; tries < 30 && hasTwins(ticks.map(labelOf)); tries++) {
    step = roundStep(step * 1.01);
    ticks = multiples(step, from, most);
  }
  const domain: [number, number] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const every = Math.ceil(ticks.length / MOST_LABELS);
  return { domain, ticks: ticks.filter((_, at) => at % every === 0), isBroken: domain[0] > 0 };
}

const hasTwins = (labels: readonly string[]) => new Set(labels).size < labels.length;

/** The multiples of a step from the last below one value to the first above another. */
function multiples(step: number, from: number, to: number): number[] {
  const first = Math.floor(from / step);
  const last = Math.max(first + 1, Math.ceil(to / step));
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
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

/** The axis of days below a chart. */
export const dayAxis = (points: readonly { day: string }[]) => ({
  dataKey: 'day',
  tickFormatter: (day: string) => shortDay(day),
  tick: AXIS_TEXT,
  tickLine: false,
  axisLine: { stroke: 'var(--line)' },
  ticks: dayTicks(points),
  minTickGap: 24,
  height: 20,
});
