import type { CommunityDay } from './days-query.ts';

const DAY_MS = 86_400_000;

/** Every day from the first to the last: a day without a record has no AUM, and no money in or out. */
export function withoutGaps(days: readonly CommunityDay[]): CommunityDay[] {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return [];
  const known = new Map(days.map((day) => [day.day, day]));
  const startMs = Date.parse(first.day);
  const length = Math.round((Date.parse(last.day) - startMs) / DAY_MS) + 1;
  return Array.from({ length }, (_, index) => {
    const day = new Date(startMs + index * DAY_MS).toISOString().slice(0, 10);
    return known.get(day) ?? { day, aum: null, received: '0', paid_out: '0' };
  });
}
