import { expect, test } from 'vitest';
import { shownMonth } from './shown-month.ts';

const range = { from: '2009-01-03', to: '2026-03-10' };
const days = [{ day: '2025-11-30' }, { day: '2026-02-01' }];

test.each([
  [undefined, '2026-02', true, true],
  ['2025-11', '2025-11', false, true],
  ['2025-10', '2026-02', true, true],
  ['2026-03', '2026-03', true, false],
  ['2026-04', '2026-02', true, true],
])('asked for %s it shows %s', (asked, month, hasEarlier, hasLater) => {
  expect(shownMonth(days, range, asked)).toEqual({ month, hasEarlier, hasLater });
});

test('without any closed position it is the last month of the range', () => {
  expect(shownMonth([], range, '2025-11')).toEqual({ month: '2026-03', hasEarlier: false, hasLater: false });
});
