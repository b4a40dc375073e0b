import { expect, test } from 'vitest';
import { groupReadings } from './old-readings.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const reading = (what: string, time: string, isOutside = true) => ({
  ...{ id: `${what}${time}`, what, isOutside },
  at: `2026-11-21T${time}:00Z`,
});

test('readings of one kind are as old as the oldest of them, and the oldest come first', () => {
  const all = [
    reading('Balances', '11:58'),
    reading('Totals', '09:00', false),
    reading('Balances', '11:39'),
    reading('Positions', '11:59'),
  ];
  expect(groupReadings(all, NOW)).toEqual([
    // What is counted here is counted again when it changes: it is never old.
    { what: 'Totals', at: '2026-11-21T09:00:00Z', count: 1, isOutside: false, isOld: false },
    { what: 'Balances', at: '2026-11-21T11:39:00Z', count: 2, isOutside: true, isOld: true },
    { what: 'Positions', at: '2026-11-21T11:59:00Z', count: 1, isOutside: true, isOld: false },
  ]);
});
