import { expect, test } from 'vitest';
import { lastReadOf } from './last-read.ts';

const read = (balance: string, read_at: string) => ({ bybit_read: { balance, read_at } });
const EARLY = '2026-01-01T10:00:00.000Z';
const LATE = '2026-01-01T11:00:00.000Z';

test('reads are summed exactly, and are as old as the oldest', () => {
  expect(lastReadOf([read('0.1', LATE), read('0.200000000000000001', EARLY)])).toEqual({
    balance: '0.300000000000000001',
    oldestAt: EARLY,
    missing: 0,
  });
});

test('a pool without a read leaves no sum', () => {
  expect(lastReadOf([read('5', EARLY), { bybit_read: null }])).toEqual({
    balance: null,
    oldestAt: EARLY,
    missing: 1,
  });
  expect(lastReadOf([])).toEqual({ balance: null, oldestAt: null, missing: 0 });
});
