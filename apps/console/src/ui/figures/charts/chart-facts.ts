/** A fact beside a chart's line: something that happened at one of its points. */
export interface ChartFact<K extends string = string> {
  kind: K;
  /** How many of its kind it stands for. */
  count: number;
  /** The index of its point. */
  place: number;
}

export interface FactGroup<F> {
  /** The index of the point at which its marker is. */
  place: number;
  facts: F[];
}

/**
 * The point at which something of a day is drawn: that of its day, or else of the next day with a point, or the last one.
 * Null before the first point: the line does not reach back so far.
 * @param days of the points, oldest first
 */
export function placeOfDay(days: readonly string[], day: string): number | null {
  const [first] = days;
  if (first === undefined || day < first) return null;
  const last = days.lastIndexOf(day);
  if (last >= 0) return last;
  const next = days.findIndex((one) => one > day);
  return next < 0 ? days.length - 1 : next;
}

/**
 * Facts by marker: those of one point, and of the points after it that are too near for a marker of their own.
 * @param points of the chart
 * @param most markers for which there is room
 */
export function groupFacts<F extends Pick<ChartFact, 'place'>>(
  facts: readonly F[],
  points: number,
  most: number,
): FactGroup<F>[] {
  const leastApart = Math.max(1, (points - 1) / Math.max(1, most - 1));
  const groups: FactGroup<F>[] = [];
  for (const fact of facts.toSorted((a, b) => a.place - b.place)) {
    const open = groups.at(-1);
    if (open && fact.place - open.place < leastApart) open.facts.push(fact);
    else groups.push({ place: fact.place, facts: [fact] });
  }
  return groups;
}
