import { expect, test } from 'vitest';
import { invoiceBadges, outstandingOf } from './invoice-badges.ts';

const invoice = {
  status: 'pending' as 'pending' | 'paid' | 'cancelled',
  is_overdue: false,
  is_archived: false,
  amount: '100',
  paid_amount: '0',
  off_platform_amount: '0',
};

test.each([
  [{}, ['due']],
  [{ is_overdue: true }, ['overdue']],
  [{ is_overdue: true, paid_amount: '0.000000000000000001' }, ['overdue', 'part_paid']],
  [{ is_archived: true }, ['unpaid', 'archived']],
  [{ paid_amount: '120' }, ['due', 'part_paid']],
  [{ status: 'paid' as const, paid_amount: '100.000' }, ['paid']],
  [{ paid_amount: '20', off_platform_amount: '20' }, ['due', 'part_paid', 'off_platform']],
  [{ status: 'paid' as const, off_platform_amount: '0.000000000000000001' }, ['paid', 'off_platform']],
  [{ status: 'paid' as const, paid_amount: '100.000001' }, ['paid', 'overpaid']],
  [{ status: 'paid' as const, paid_amount: '100.000000999999999999' }, ['paid']],
  [{ status: 'paid' as const, paid_amount: '100', is_archived: true }, ['paid', 'archived']],
  [{ status: 'cancelled' as const, paid_amount: '20' }, ['cancelled']],
])('an invoice with %o is marked %o', (change, marks) => {
  expect(invoiceBadges({ ...invoice, ...change })).toEqual(marks);
});

test('only pending amounts are outstanding, exactly and never below zero', () => {
  expect(outstandingOf({ ...invoice, paid_amount: '0.000000000000000001' })).toBe('99.999999999999999999');
  expect(outstandingOf({ ...invoice, paid_amount: '120' })).toBe('0');
  expect(outstandingOf({ ...invoice, status: 'paid' })).toBe('0');
  expect(outstandingOf({ ...invoice, status: 'cancelled' })).toBe('0');
});
