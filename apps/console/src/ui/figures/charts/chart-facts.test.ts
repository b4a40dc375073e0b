import { expect, test } from 'vitest';
import { groupFacts, placeOfDay } from './chart-facts.ts';

const DAYS = ['2026-01-01', '2026-01-03', '2026-01-03', '2026-01-06'];

test.each([
  ['2025-12-31', null],
  ['2026-01-01', 0],
  ['2026-01-02', 1],
  // The later of two points of a day.
  ['2026-01-03', 2],
  ['2026-01-04', 3],
  ['2026-01-07', 3],
])('what happened on %s is drawn at point %s', (day, place) => {
  expect(placeOfDay(DAYS, day)).toBe(place);
});

test('a chart without points has a place for nothing', () => {
  expect(placeOfDay([], '2026-01-01')).toBeNull();
});

const at = (...places: number[]) => places.map((place) => ({ place }));
const shape = (groups: ReturnType<typeof groupFacts>) =>
  groups.map(({ place, facts }) => [place, facts.length]);

test('facts of one point share a marker, and those of two have one each where there is room', () => {
  expect(shape(groupFacts(at(4, 2, 4, 5), 10, 24))).toEqual([
    [2, 1],
    [4, 2],
    [5, 1],
  ]);
});

test('no two markers are nearer than there is room for, and no fact is lost', () => {
  const facts = at(...Array.from({ length: 365 }, (_, day) => day));
  const groups = groupFacts(facts, 365, 12);
  expect(groups.length).toBeLessThanOrEqual(12);
  expect(groups.flatMap((group) => group.facts)).toHaveLength(365);
  for (const [nth, { place }] of groups.entries())
    if (nth > 0) expect(place - (groups[nth - 1]?.place ?? 0)).toBeGreaterThanOrEqual(364 / 11);
});
