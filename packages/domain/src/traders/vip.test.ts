import { expect, test } from 'vitest';
import { decideVip } from './vip.ts';

const silver = { level: 1, name: 'Silver', minAum: '10000', benefits: '' };
const gold = { level: 2, name: 'Gold', minAum: '50000.50', benefits: 'Calls with an analyst' };
const black = { level: 3, name: 'Black', minAum: '1000000', benefits: 'Own analyst' };
const tiers = [gold, black, silver];

test.each([
  ['0', 0, 'Standard', { ...silver, missingAum: '10000' }],
  ['9999.99', 0, 'Standard', { ...silver, missingAum: '0.01' }],
  ['10000', 1, 'Silver', { ...gold, missingAum: '40000.5' }],
  ['10000.000000000000000001', 1, 'Silver', { ...gold, missingAum: '40000.499999999999999999' }],
  ['50000.49', 1, 'Silver', { ...gold, missingAum: '0.01' }],
  ['50000.5', 2, 'Gold', { ...black, missingAum: '949999.5' }],
  ['1000000', 3, 'Black', null],
  ['123456789012345678901234567890', 3, 'Black', null],
])('an AUM of %s is level %i, %s', (aum, level, name, next) => {
  expect(decideVip(aum, tiers)).toMatchObject({ level, name, next });
});

test('a loss on the account is below the lowest tier', () => {
  expect(decideVip('-5', tiers).next?.missingAum).toBe('10005');
});

test('tiers are compared as numbers, not as text', () => {
  expect(decideVip('9', [{ ...silver, minAum: '10' }]).level).toBe(0);
});

test('without tiers everyone is standard, with nothing to reach', () => {
  expect(decideVip('5000', [])).toEqual({
    level: 0,
    name: 'Standard',
    benefits: '',
    next: null,
    progress: 1,
  });
});

test.each([
  ['-5', 0],
  ['0', 0],
  ['2500', 0.25],
  ['10000', 0],
  ['30000.25', 0.5],
  ['999999999', 1],
])('with an AUM of %s, %d of the way to the next level is done', (aum, progress) => {
  expect(decideVip(aum, tiers).progress).toBeCloseTo(progress, 9);
});

test('a standing has the benefits of its level', () => {
  expect(decideVip('10000', tiers)).toMatchObject({
    benefits: '',
    next: { benefits: 'Calls with an analyst' },
  });
  expect(decideVip('1000000', tiers).benefits).toBe('Own analyst');
});
