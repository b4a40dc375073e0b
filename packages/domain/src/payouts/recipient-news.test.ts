import { expect, test } from 'vitest';
import { type RecipientHistory, recipientNews, usualUnits } from './recipient-news.ts';

const NOW = new Date('2026-11-29T12:00:00Z');
const DAY_MS = 86_400_000;
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const KNOWN: RecipientHistory = { paidCount: 14, lastUnits: [100n, 120n, 140n], addressChangedAt: null };
const newsOf = (over: Partial<RecipientHistory>, units = 120n) =>
  recipientNews({ ...KNOWN, ...over }, units, NOW);

test('a known recipient of a usual amount is no news', () => {
  expect(newsOf({})).toEqual([]);
});

test('the first payment is', () => {
  expect(newsOf({ paidCount: 0, lastUnits: [] })).toEqual(['first_payment']);
  expect(newsOf({ paidCount: 1, lastUnits: [1n] })).toEqual([]);
});

test('an address is news for less than 30 days after its change', () => {
  expect(newsOf({ addressChangedAt: ago(0) })).toEqual(['address_changed']);
  expect(newsOf({ addressChangedAt: ago(30 * DAY_MS - 1) })).toEqual(['address_changed']);
  expect(newsOf({ addressChangedAt: ago(30 * DAY_MS) })).toEqual([]);
});

test('an amount is above the usual one from more than twice of it, to the base unit', () => {
  expect(newsOf({}, 240n)).toEqual([]);
  expect(newsOf({}, 241n)).toEqual(['above_usual']);
  const large = 10n ** 30n;
  expect(newsOf({ lastUnits: [large, large, large] }, 2n * large)).toEqual([]);
  expect(newsOf({ lastUnits: [large, large, large] }, 2n * large + 1n)).toEqual(['above_usual']);
});

test('all of it together, the most telling first', () => {
  expect(newsOf({ paidCount: 0, addressChangedAt: NOW }, 10_000n)).toEqual([
    'first_payment',
    'address_changed',
    'above_usual',
  ]);
});

test.each([
  [[], null],
  [[5n, 5n], null],
  [[100n, 9n, 20n], 20n],
  [[4n, 3n, 2n, 1n], 2n],
  [[7n, 7n, 7n, 7n, 1n], 7n],
])('%s have the usual amount %s', (lastUnits, usual) => {
  expect(usualUnits({ lastUnits })).toBe(usual);
});
