import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DueBillingReminder, dueBillingReminders } from './billing-reminders.ts';
import {
  BILLED_STATUSES,
  type BilledSubscription,
  isLive,
  offeredPlans,
  subscriptionAccess,
} from './subscription.ts';

const DAY_MS = 86_400_000;
const NOW = new Date('2026-06-15T12:00:00Z');
const inDays = (days: number) => new Date(NOW.getTime() + days * DAY_MS);
const subscription = (given: Partial<BilledSubscription>): BilledSubscription & { id: string } => ({
  id: 'sub_1',
  status: 'active',
  currentPeriodEnd: inDays(10),
  trialEnd: null,
  unpaidSince: null,
  endedAt: null,
  ...given,
});
const rules = { now: NOW, graceDays: 7 };
const accessOf = (given: Partial<BilledSubscription>) => subscriptionAccess(subscription(given), rules);

describe('what a community may do', () => {
  test.each<[string, Partial<BilledSubscription>, string, boolean]>([
    ['paid', {}, 'active', true],
    ['paid, its renewal hours ago', { currentPeriodEnd: inDays(-0.2) }, 'active', true],
    ['paid once, and without news for weeks', { currentPeriodEnd: inDays(-8) }, 'lapsed', false],
    ['in its trial', { status: 'trialing', trialEnd: inDays(10) }, 'trialing', true],
    ['unpaid for a day', { status: 'past_due', unpaidSince: inDays(-1) }, 'past_due', true],
    ['unpaid for 7 days', { status: 'past_due', unpaidSince: inDays(-7) }, 'lapsed', false],
    [
      'given up, but within the grace period',
      { status: 'unpaid', unpaidSince: inDays(-6) },
      'past_due',
      true,
    ],
    ['given up', { status: 'unpaid', unpaidSince: inDays(-9) }, 'lapsed', false],
    ['paused', { status: 'paused' }, 'lapsed', false],
    ['canceled', { status: 'canceled', endedAt: inDays(-1) }, 'canceled', false],
    ['never paid', { status: 'incomplete' }, 'none', false],
    ['never paid, and over', { status: 'incomplete_expired' }, 'none', false],
  ])('%s', (_what, given, state, isOpen) => {
    expect(accessOf(given)).toMatchObject({ state, allows: isOpen ? ['exchange_bot'] : [] });
  });

  test('without a subscription nothing that a plan sells is open', () => {
    expect(subscriptionAccess(null, rules)).toEqual({
      state: 'none',
      graceUntil: null,
      closedAt: null,
      allows: [],
    });
  });

  test('the grace period begins with the oldest unpaid invoice', () => {
    expect(accessOf({ status: 'past_due', unpaidSince: inDays(-2) }).graceUntil).toEqual(inDays(5));
  });
});

const date = fc.integer({ min: -60 * 24, max: 60 * 24 }).map((hours) => inDays(hours / 24));
const anySubscription = fc.record({
  id: fc.constant('sub_1'),
  status: fc.constantFrom(...BILLED_STATUSES),
  currentPeriodEnd: date,
  trialEnd: fc.option(date),
  unpaidSince: fc.option(date),
  endedAt: fc.option(date),
});
const graceDays = fc.integer({ min: 0, max: 30 });

test('property: what is open closes once at most as time passes, and never opens again', () => {
  fc.assert(
    fc.property(
      anySubscription,
      graceDays,
      fc.array(fc.nat(120 * 24), { maxLength: 30 }),
      (given, grace, at) => {
        const open = at
          .toSorted((a, b) => a - b)
          .map((hours) => {
            const now = inDays(-60 + hours / 24);
            return subscriptionAccess(given, { now, graceDays: grace }).allows.length > 0;
          });
        expect(open.indexOf(false) === -1 ? [] : open.slice(open.indexOf(false))).not.toContain(true);
      },
    ),
  );
});

test('property: a longer grace period never closes anything, and a closed one says since when', () => {
  fc.assert(
    fc.property(anySubscription, graceDays, fc.nat(30), (given, grace, more) => {
      const short = subscriptionAccess(given, { now: NOW, graceDays: grace });
      const long = subscriptionAccess(given, { now: NOW, graceDays: grace + more });
      expect(long.allows.length).toBeGreaterThanOrEqual(short.allows.length);
      expect(short.closedAt === null).toBe(short.allows.length > 0 || short.state === 'none');
      if (short.state !== 'none' && !isLive(given.status)) expect(short.allows).toEqual([]);
    }),
  );
});

const kindsAt = (given: Partial<BilledSubscription>, now = NOW, grace = 7) =>
  dueBillingReminders(subscription(given), { now, graceDays: grace }).map(({ kind }) => kind);

describe('reminders', () => {
  test.each<[string, Partial<BilledSubscription>, string[]]>([
    ['a paid subscription', {}, []],
    ['a trial that ends in four days', { status: 'trialing', trialEnd: inDays(4) }, []],
    ['a trial that ends in three days', { status: 'trialing', trialEnd: inDays(3) }, ['trial_ending']],
    ['a payment that just failed', { status: 'past_due', unpaidSince: NOW }, ['payment_failed']],
    [
      'a grace period that ends in two days',
      { status: 'past_due', unpaidSince: inDays(-5) },
      ['payment_failed', 'grace_ending'],
    ],
    ['a lapsed one', { status: 'past_due', unpaidSince: inDays(-8) }, ['subscription_ended']],
    ['a canceled one', { status: 'canceled', endedAt: inDays(-1) }, ['subscription_ended']],
    ['one canceled long ago', { status: 'canceled', endedAt: inDays(-30) }, []],
    ['one without news', { currentPeriodEnd: inDays(-8) }, []],
  ])('%s', (_what, given, kinds) => {
    expect(kindsAt(given)).toEqual(kinds);
  });

  test('a short grace period has no second warning', () => {
    expect(kindsAt({ status: 'past_due', unpaidSince: NOW }, NOW, 2)).toEqual(['payment_failed']);
  });

  test('a subscription that lapses and is then canceled ends once', () => {
    const keys = (given: Partial<BilledSubscription>) =>
      dueBillingReminders(subscription(given), rules).map(({ key }) => key);
    const unpaidSince = inDays(-8);
    expect(keys({ status: 'past_due', unpaidSince })).toEqual(
      keys({ status: 'canceled', unpaidSince, endedAt: NOW }),
    );
  });
});

test('property: over any life, a fact has one key, and each key one kind', () => {
  fc.assert(
    fc.property(anySubscription, graceDays, (given, grace) => {
      const seen = new Map<string, DueBillingReminder['kind']>();
      for (let hours = -60 * 24; hours <= 60 * 24; hours += 6)
        for (const { key, kind } of dueBillingReminders(given, { now: inDays(hours / 24), graceDays: grace }))
          seen.set(key, kind);
      expect(new Set(seen.values()).size).toBe(seen.size);
    }),
  );
});

test('plans without a price are not offered, and the others keep their order', () => {
  expect(offeredPlans({ yearly: '1990', monthly: '199' })).toEqual([
    ['monthly', '199'],
    ['yearly', '1990'],
  ]);
  expect(offeredPlans({ monthly: null, yearly: '1990' })).toEqual([['yearly', '1990']]);
  expect(offeredPlans({ monthly: null, yearly: null })).toEqual([]);
});
