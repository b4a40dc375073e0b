import { expect, test } from 'vitest';
import type { RecipientLine } from '../payouts-queries.ts';
import {
  addressesOf,
  inOrder,
  kept,
  LARGEST_FIRST,
  NO_RECIPIENTS,
  rolesOf,
  selectedOf,
  sumOf,
  toggled,
} from './selection.ts';

const line = (recipientAddress: string, recipientType: RecipientLine['recipientType'], amount: string) => ({
  recipientAddress,
  recipientType,
  amount,
  payableCount: 1,
});
const mark = line('0xA', 'mark', '70.000000000000000001');
const referrer = line('0xB', 'community_referrer', '60');
const second = line('0xB', 'trader_referrer', '40.5');
const own = line('0xC', 'community', '9');
const lines = [mark, referrer, second, own];

test('one address is one selection, with all of its lines', () => {
  const selection = toggled(NO_RECIPIENTS, '0xB');
  expect(selectedOf(lines, selection)).toEqual([referrer, second]);
  expect(sumOf(selectedOf(lines, selection))).toBe('100.5');
  expect(toggled(selection, '0xB').size).toBe(0);
  expect(addressesOf(lines).size).toBe(3);
  expect(rolesOf(lines).get('0xB')).toBe(2);
});

test('sums keep every digit', () => {
  expect(sumOf(lines)).toBe('179.500000000000000001');
  expect(sumOf([])).toBe('0');
});

test('a recipient that is gone is not selected any more', () => {
  const selection = new Set(['0xA', '0xC']);
  expect([...kept(selection, [mark, referrer])]).toEqual(['0xA']);
  expect(kept(selection, lines)).toBe(selection);
});

test('the largest come first, and the roles of an address stay together', () => {
  expect(inOrder(lines, LARGEST_FIRST)).toEqual([referrer, second, mark, own]);
  expect(inOrder(lines, { column: 'amount', direction: 'asc' })).toEqual([own, mark, second, referrer]);
  expect(inOrder(lines, { column: 'type', direction: 'asc' })).toEqual([own, referrer, mark, second]);
});

test('amounts are compared exactly', () => {
  const more = line('0xD', 'mark', '70.000000000000000002');
  expect(inOrder([mark, more], LARGEST_FIRST)).toEqual([more, mark]);
});
