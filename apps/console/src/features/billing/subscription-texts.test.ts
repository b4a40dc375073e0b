import { expect, test } from 'vitest';
import type { Subscription } from './subscription-query.ts';
import {
  isConfirmed,
  isPayable,
  noticesOf,
  offeredIntervals,
  priceWords,
  stateWords,
} from './subscription-texts.ts';

const subscription = (given: Partial<Subscription> = {}): Subscription => ({
  community_id: 'c',
  is_active: true,
  interval: 'monthly',
  current_period_end: '2026-12-20T10:00:00Z',
  status: 'active',
  cancel_at_period_end: false,
  trial_end: null,
  unpaid_since: null,
  grace_until: null,
  closed_at: null,
  allows: ['exchange_bot'],
  payment_notice: null,
  has_duplicate: false,
  read_at: '2026-11-20T10:00:00Z',
  is_configured: true,
  has_customer: true,
  plans: { monthly: '199', yearly: '1990.00' },
  ...given,
});

test.each<[Partial<Subscription>, string, RegExp]>([
  [{ status: 'none' }, 'None', /never subscribed/],
  [{}, 'Active', /Renews on Dec 20, 2026/],
  [{ cancel_at_period_end: true }, 'Ending', /until Dec 20, 2026/],
  [{ status: 'trialing', trial_end: '2026-12-01T00:00:00Z' }, 'Trial', /Free until Dec 1, 2026, then paid/],
  [{ status: 'past_due', unpaid_since: '2026-11-20T00:00:00Z' }, 'Unpaid', /since Nov 20, 2026/],
  [
    { status: 'lapsed', closed_at: '2026-11-27T00:00:00Z', unpaid_since: '2026-11-20T00:00:00Z' },
    'Lapsed',
    /^Closed on Nov 27, 2026, because it was not paid\. Change the card/,
  ],
  [
    { status: 'lapsed', closed_at: '2026-12-27T10:00:00Z' },
    'Lapsed',
    /^Closed on Dec 27, 2026: Stripe has not reported the renewal of Dec 20, 2026\. Check/,
  ],
  [
    { status: 'lapsed', closed_at: '2026-12-01T00:00:00Z', trial_end: '2026-12-01T00:00:00Z' },
    'Lapsed',
    /^Closed on Dec 1, 2026, when the trial ended without a payment/,
  ],
  [{ status: 'canceled', closed_at: '2026-11-27T00:00:00Z' }, 'Ended', /ended on Nov 27, 2026/],
])('%o', (given, label, text) => {
  expect(stateWords(subscription(given))).toMatchObject({ label, text: expect.stringMatching(text) });
});

test('notices name the failure, its end and a second subscription', () => {
  expect(noticesOf(subscription())).toEqual([]);
  const failed = { status: 'past_due', grace_until: '2026-11-27T00:00:00Z', has_duplicate: true } as const;
  expect(
    noticesOf(subscription({ ...failed, payment_notice: 'disputed' })).map(({ title }) => title),
  ).toEqual(['Two subscriptions are paid', 'The last payment failed', 'The last payment is disputed']);
  expect(noticesOf(subscription(failed))[1]?.text).toContain('Nov 27, 2026');
});

test('only a community without a subscription is offered one, at the prices that there are', () => {
  expect(offeredIntervals(subscription())).toEqual([]);
  expect(offeredIntervals(subscription({ status: 'lapsed' }))).toEqual([]);
  expect(offeredIntervals(subscription({ status: 'canceled' }))).toEqual(['monthly', 'yearly']);
  expect(offeredIntervals(subscription({ status: 'none', plans: { monthly: null, yearly: '9' } }))).toEqual([
    'yearly',
  ]);
  expect(offeredIntervals(subscription({ status: 'none', is_configured: false }))).toEqual([]);
  expect([priceWords('199', 'monthly'), priceWords('1990.50', 'yearly')]).toEqual([
    '$199 a month',
    '$1,990.50 a year',
  ]);
});

test('an owner can pay for a plan that is offered, or what is unpaid', () => {
  const unpaid = { unpaid_since: '2026-11-20T00:00:00Z' };
  expect(isPayable(subscription())).toBe(false);
  expect(isPayable(subscription({ status: 'none' }))).toBe(true);
  expect(isPayable(subscription({ status: 'none', plans: { monthly: null, yearly: null } }))).toBe(false);
  expect(isPayable(subscription({ status: 'past_due', ...unpaid }))).toBe(true);
  expect(isPayable(subscription({ status: 'lapsed', ...unpaid }))).toBe(true);
  expect(isPayable(subscription({ status: 'lapsed' }))).toBe(false);
  expect(isPayable(subscription({ status: 'past_due', ...unpaid, is_configured: false }))).toBe(false);
});

test('an owner can pay for a plan that is offered, or what is unpaid', () => {
  const unpaid = { unpaid_since: '2026-11-20T00:00:00Z' };
  expect(isPayable(subscription())).toBe(false);
  expect(isPayable(subscription({ status: 'none' }))).toBe(true);
  expect(isPayable(subscription({ status: 'none', plans: { monthly: null, yearly: null } }))).toBe(false);
  expect(isPayable(subscription({ status: 'past_due', ...unpaid }))).toBe(true);
  expect(isPayable(subscription({ status: 'lapsed', ...unpaid }))).toBe(true);
  expect(isPayable(subscription({ status: 'lapsed' }))).toBe(false);
  expect(isPayable(subscription({ status: 'past_due', ...unpaid, is_configured: false }))).toBe(false);
});

test('a payment counts once the state says so', () => {
  expect(isConfirmed(subscription({ status: 'none' }))).toBe(false);
  expect(isConfirmed(subscription())).toBe(true);
});
