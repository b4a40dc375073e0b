import fc from 'fast-check';
import { expect, test } from 'vitest';
import { couponCode, priceWithCoupon } from './coupons.ts';

const PLAN = 'plan-1';
const USDT = 10n ** 18n;
const OPEN = {
  percent: 10,
  amountUnits: null,
  startsAt: null,
  endsAt: null,
  maxUses: null,
  maxUsesPerUser: null,
  planIds: [],
};
const USE = { now: 1_000, planId: PLAN, amountUnits: 50n * USDT, uses: 0, usesOfUser: 0 };

test.each([
  ['a percentage', OPEN, USE, { refusal: null, units: 45n * USDT }],
  [
    'an amount',
    { ...OPEN, percent: null, amountUnits: 20n * USDT },
    USE,
    { refusal: null, units: 30n * USDT },
  ],
  ['before its start', { ...OPEN, startsAt: 1_001 }, USE, { refusal: 'not_started' }],
  ['at its start', { ...OPEN, startsAt: 1_000 }, USE, { refusal: null, units: 45n * USDT }],
  ['at its end', { ...OPEN, endsAt: 1_000 }, USE, { refusal: 'ended' }],
  ['for another plan', { ...OPEN, planIds: ['plan-2'] }, USE, { refusal: 'other_plan' }],
  ['used up', { ...OPEN, maxUses: 3 }, { ...USE, uses: 3 }, { refusal: 'used_up' }],
  ['its last use', { ...OPEN, maxUses: 3 }, { ...USE, uses: 2 }, { refusal: null, units: 45n * USDT }],
  [
    'used by the same person',
    { ...OPEN, maxUsesPerUser: 1 },
    { ...USE, uses: 1, usesOfUser: 1 },
    { refusal: 'used_by_this_user' },
  ],
  [
    'an amount as high as the price',
    { ...OPEN, percent: null, amountUnits: 50n * USDT },
    USE,
    { refusal: 'nothing_left_to_pay' },
  ],
])('a coupon: %s', (_, coupon, use, expected) => {
  expect(priceWithCoupon(coupon, use)).toEqual(expected);
});

test('a coupon leaves something to pay, and never raises a price', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 30n), fc.integer({ min: 1, max: 99 }), (amountUnits, percent) => {
      const price = priceWithCoupon({ ...OPEN, percent }, { ...USE, amountUnits });
      expect(price.refusal === null && price.units > 0n && price.units <= amountUnits).toBe(true);
    }),
  );
});

test('a code is found however it is typed', () => {
  expect(couponCode(' spring-26 ')).toBe('SPRING-26');
});
