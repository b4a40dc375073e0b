import { expect, test } from 'vitest';
import { withoutGaps } from './community-performance-panel.tsx';

test('days without a record are filled in', () => {
  const first = { day: '2026-02-27', aum: '100', pool_capital: '0', received: '1', paid_out: '0' };
  const last = { day: '2026-03-02', aum: null, pool_capital: '0', received: '5', paid_out: '2' };
  expect(withoutGaps([first, last])).toEqual([
    first,
    { day: '2026-02-28', aum: null, pool_capital: '0', received: '0', paid_out: '0' },
    { day: '2026-03-01', aum: null, pool_capital: '0', received: '0', paid_out: '0' },
    last,
  ]);
});

test('nothing stays nothing', () => {
  expect(withoutGaps([])).toEqual([]);
});
