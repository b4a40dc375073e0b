import { expect, test } from 'vitest';
import type { Plan } from './bot-queries.ts';
import {
  couponState,
  daysWords,
  discountWords,
  limitWords,
  periodWords,
  planLink,
  reducedPrice,
  usesWords,
} from './bot-texts.ts';

const PLAN = { id: 'p', name: 'Month', days: 30, amount: '50', is_active: true } as Plan;
const FROM = '2026-03-01T00:00:00.000Z';
const TO = '2026-04-01T00:00:00.000Z';

test('the price under a coupon is exact, and none when nothing would be left', () => {
  expect(reducedPrice(PLAN, { percent: 33, amount: null })).toBe('33.5');
  expect(reducedPrice(PLAN, { percent: null, amount: '0.000000000000000001' })).toBe('49.999999999999999999');
  expect(reducedPrice(PLAN, { percent: null, amount: '50' })).toBeNull();
});

test('a coupon is valid from its start to before its end', () => {
  const period = { starts_at: FROM, ends_at: TO };
  const at = (iso: string) => couponState(period, new Date(iso));
  expect(at('2026-02-28T23:59:59.999Z')).toBe('scheduled');
  expect(at(FROM)).toBe('valid');
  expect(at(TO)).toBe('ended');
  expect(couponState({ starts_at: null, ends_at: null }, new Date())).toBe('valid');
});

test('words of plans and coupons', () => {
  expect([1, 30, 3_650].map(daysWords)).toEqual(['1 day', '30 days', '3,650 days']);
  expect(discountWords({ percent: 10, amount: null })).toBe('10% off');
  expect(discountWords({ percent: null, amount: '5.25' })).toBe('5.25 USDT off');
  expect(periodWords({ starts_at: null, ends_at: null })).toBe('Always');
  expect(periodWords({ starts_at: null, ends_at: TO })).toBe('Until Mar 31, 2026');
  expect(periodWords({ starts_at: FROM, ends_at: TO })).toBe('Mar 1, 2026 to Mar 31, 2026');
  expect([null, 1_000].map(limitWords)).toEqual(['Unlimited', '1,000']);
});

test('the uses of a coupon, with its limit if it has one', () => {
  expect(usesWords({ uses: 3, max_uses: 1_000 })).toBe('3 of 1,000');
  expect(usesWords({ uses: 0, max_uses: null })).toBe('0');
  expect(usesWords({ uses: 10_000, max_uses: null })).toBe('10,000+');
});

test('a link opens a plan', () => {
  expect(planLink({ username: 'demo_bot' }, { id: 'aaaaaaaa-0000-4000-8000-000000000001' })).toBe(
    'https://t.me/demo_bot?start=plan_aaaaaaaa',
  );
});
