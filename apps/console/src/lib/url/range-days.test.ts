import { expect, test } from 'vitest';
import { rangeDays } from './range-days.ts';

const now = new Date('2026-03-01T00:30:00Z');

test.each([
  ['30d', '2026-01-31'],
  ['90d', '2025-12-02'],
  ['1y', '2025-03-02'],
  ['all', '2009-01-03'],
] as const)('%s begins on %s and ends today', (range, from) => {
  expect(rangeDays(range, now)).toEqual({ from, to: '2026-03-01' });
});
