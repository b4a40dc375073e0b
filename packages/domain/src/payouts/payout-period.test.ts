import { expect, test } from 'vitest';
import { averagePerMonth, payoutPeriod } from './payout-period.ts';

const after = (days: number) => new Date(Date.UTC(2026, 0, 1) + days * 86_400_000).toISOString();
const period = (days: number) => payoutPeriod(after(0), after(days));

test.each([
  [0, '0 days'],
  [1, '1 day'],
  [12.4, '12 days'],
  [30.4, '30 days'],
  [30.44, '1 month'],
  [45.66, '1.5 months'],
  [30.44 * 11.5, '11.5 months'],
  [30.44 * 12, '1 year'],
  [30.44 * 12.1, '1 year'],
  [30.44 * 18, '1.5 years'],
  [30.44 * 30, '2.5 years'],
])('%d days are labelled %s', (days, label) => {
  expect(period(days).label).toBe(label);
});

test('times in the wrong order are an empty period', () => {
  expect(payoutPeriod(after(3), after(0))).toEqual({ days: 0, months: 0, label: '0 days' });
});

test('the average divides by months of 30.44 days, and by no less than one', () => {
  expect(averagePerMonth('300', period(60.88))).toBe(150);
  expect(averagePerMonth('300', period(3))).toBe(300);
  expect(averagePerMonth('300', period(0))).toBe(300);
});
