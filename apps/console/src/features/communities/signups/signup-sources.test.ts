import { expect, test } from 'vitest';
import { sourceTotals, withEmptyDays } from './signup-sources.ts';

const day = (from: string, sources: Partial<Record<'referral' | 'bot' | 'staff', number>>) => ({
  from,
  traders: Object.values(sources).reduce((sum, count) => sum + count, 0),
  sources: { referral: 0, bot: 0, program: 0, staff: 0, unknown: 0, ...sources },
});
const days = [day('2026-03-02', { referral: 2, staff: 1 }), day('2026-03-04', { bot: 3 })];

test('sources are added up, and those without a trader are left out', () => {
  expect(sourceTotals(days)).toEqual([
    { source: 'referral', traders: 2 },
    { source: 'bot', traders: 3 },
    { source: 'staff', traders: 1 },
  ]);
});

test('empty days are filled up to the end of the range', () => {
  const filled = withEmptyDays(days, { from: '2026-03-01', to: '2026-03-06' });
  expect(filled.map(({ day, traders }) => [day.slice(8), traders])).toEqual([
    ['01', 0],
    ['02', 3],
    ['03', 0],
    ['04', 3],
    ['05', 0],
    ['06', 0],
  ]);
});

test('a range without a beginning starts a month before the first trader', () => {
  const filled = withEmptyDays(days, { from: '2009-01-03', to: '2026-03-06' });
  expect(filled[0]?.day).toBe('2026-01-31');
});

test('without sign-ups there is no day', () => {
  expect(withEmptyDays([], { from: '2026-03-01', to: '2026-03-06' })).toEqual([]);
});
