import { expect, test } from 'vitest';
import { commissionRateOf, type InvoiceFacts, planInvoice } from './invoicing.ts';

const now = new Date('2026-03-01T10:00:00Z');
const facts = (changes: Partial<InvoiceFacts> = {}): InvoiceFacts => ({
  profit: '100',
  commissionRate: '0.5000',
  providerShare: '0.3500',
  communityPercentage: '5.00',
  hasCommunityReferrer: false,
  traderReferralPercentage: null,
  ...changes,
});

test('an invoice is half of the profit, due three days after it was made', () => {
  const plan = planInvoice(facts(), now);
  expect(plan).toMatchObject({
    amountUnits: 50n * 10n ** 18n,
    commissionRate: '0.5',
    dueAt: new Date('2026-03-04T10:00:00Z'),
  });
  const split = 'split' in plan ? plan.split : [];
  expect(split.reduce((sum, part) => sum + part.amountUnits, 0n)).toBe(50n * 10n ** 18n);
});

test('an invoice is due after the days that are set', () => {
  expect(planInvoice(facts({ dueDays: 10 }), now)).toMatchObject({ dueAt: new Date('2026-03-11T10:00:00Z') });
});

test('the minimum rate of the provider applies', () => {
  const rate = (providerMinimumRate: string | null) =>
    commissionRateOf({ communityCommissionRate: '0.5000', providerMinimumRate });
  expect([rate('0.6000'), rate('0.4000'), rate(null)]).toEqual(['0.6', '0.5', '0.5']);
});

test.each([
  ['0.000000000000000003', 1n],
  ['0.1', 50_000_000_000_000_000n],
  ['123456789012.345678901234567891', 61_728_394_506_172_839_450_617_283_945n],
])('half of %s is rounded down to a base unit', (profit, amountUnits) => {
  expect(planInvoice(facts({ profit }), now)).toMatchObject({ amountUnits });
});

test('less than a base unit is not invoiced, and neither is more than the whole', () => {
  expect(planInvoice(facts({ profit: '0.000000000000000001' }), now)).toEqual({ refusal: 'nothing_due' });
  expect(planInvoice(facts({ commissionRate: '0' }), now)).toEqual({ refusal: 'nothing_due' });
  expect(planInvoice(facts({ communityPercentage: '66' }), now)).toEqual({
    refusal: 'split_exceeds_invoice',
  });
});
