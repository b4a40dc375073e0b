import { type Reading, useAsOf } from './freshness.ts';

/** Workers read the chain every five minutes, and exchanges every eight. */
const OLD_MS = 20 * 60_000;
export const isOld = (at: string, now = Date.now()) => now - Date.parse(at) > OLD_MS;

/** Says from when figures are that workers read at an exchange or on the chain: the top bar warns once these are old. */
export const useReadAt = (at: string | null | undefined, what: string) => useAsOf(at, what, true);

export interface ReadingGroup extends Omit<Reading, 'id'> {
  count: number;
  isOld: boolean;
}

/** By what was read, the oldest first: each group is as old as its oldest reading. */
export function groupReadings(all: readonly Reading[], now = Date.now()): ReadingGroup[] {
  const groups = new Map<string, ReadingGroup>();
  for (const { what, at, isOutside } of all.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))) {
    const group = groups.get(what);
    if (group) group.count += 1;
    else groups.set(what, { what, at, isOutside, count: 1, isOld: isOutside && isOld(at, now) });
  }
  return [...groups.values()];
}
