import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sumDecimals } from '../money/decimals.ts';
import { calendarWeeks, daysOfMonth, shiftMonth } from './pnl-calendar.ts';

const DAY_MS = 86_400_000;
const START = Date.UTC(2025, 0, 1);
const dayAt = (index: number) => new Date(START + index * DAY_MS).toISOString().slice(0, 10);

test('a month is shown in whole weeks that begin on Monday', () => {
  const pnl = { day: '2026-02-03', closed_pnl: '-1.5', positions: 2, unknown_profit: 0 };
  const weeks = calendarWeeks('2026-02-01', '2026-02-28', [pnl, { ...pnl, day: '2026-03-01' }]);
  expect(weeks).toHaveLength(5);
  expect(weeks[0]?.days.map((cell) => cell?.day ?? null)).toEqual([...Array(6).fill(null), '2026-02-01']);
  expect(weeks[1]?.days[1]).toEqual({ day: '2026-02-03', pnl });
  expect(weeks.map(({ total }) => total)).toEqual([null, '-1.5', null, null, null]);
});

test('every day of the range comes once, in order, and the weeks sum to the days', () => {
  const pnlDays = fc.uniqueArray(
    fc.record({
      index: fc.nat(150),
      cents: fc.integer({ min: -100_000, max: 100_000 }),
    }),
    { selector: ({ index }) => index },
  );
  fc.assert(
    fc.property(fc.nat(100), fc.nat(120), pnlDays, (first, length, closed) => {
      const days = closed.map(({ index, cents }) => ({
        day: dayAt(index),
        closed_pnl: (cents / 100).toFixed(2),
        positions: 1,
        unknown_profit: 0,
      }));
      const weeks = calendarWeeks(dayAt(first), dayAt(first + length), days);
      const cells = weeks.flatMap((week) => week.days);
      expect(cells.length % 7).toBe(0);
      const expected = Array.from({ length: length + 1 }, (_, step) => dayAt(first + step));
      expect(cells.flatMap((cell) => cell?.day ?? [])).toEqual(expected);
      const within = days.filter(({ day }) => expected.includes(day)).map(({ closed_pnl }) => closed_pnl);
      expect(sumDecimals(weeks.flatMap(({ total }) => total ?? []))).toBe(sumDecimals(within));
    }),
  );
});

test('a day of unknown profit is included, and adds nothing to its week', () => {
  const unknown = { day: '2026-02-03', closed_pnl: null, positions: 1, unknown_profit: 1 };
  const known = { day: '2026-02-11', closed_pnl: '5', positions: 2, unknown_profit: 1 };
  const weeks = calendarWeeks('2026-02-02', '2026-02-15', [unknown, known]);
  expect(weeks[0]?.days[1]?.pnl).toBe(unknown);
  expect(weeks.map(({ total }) => total)).toEqual([null, '5']);
});

test('a range that ends before it starts has no weeks', () => {
  expect(calendarWeeks('2026-02-02', '2026-02-01', [])).toEqual([]);
});

test.each([
  ['2026-02', '2026-02-28'],
  ['2028-02', '2028-02-29'],
  ['2026-12', '2026-12-31'],
])('%s ends on %s', (month, to) => {
  expect(daysOfMonth(month)).toEqual({ from: `${month}-01`, to });
});

test('months are counted over the turn of the year', () => {
  expect(shiftMonth('2026-01', -1)).toBe('2025-12');
  expect(shiftMonth('2026-12', 1)).toBe('2027-01');
  expect(shiftMonth('2026-03', -27)).toBe('2023-12');
});
