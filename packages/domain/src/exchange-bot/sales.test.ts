import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planBotInvoice, refuseCancelling, refuseCoupon } from './sales.ts';

const now = new Date('2026-03-01T10:00:00Z');
const equally = { platformWeights: { hexmount: 1, sixk: 1 }, communityPercentage: '85', now };
const usdt = (n: number) => BigInt(n) * 10n ** 18n;

test('a sale of 100 USDT goes to the community and the platform, 85 to 15', () => {
  expect(planBotInvoice(usdt(100), equally)).toEqual({
    amountUnits: usdt(100),
    commissionRate: '0',
    split: [
      { recipientType: 'community', amountUnits: usdt(85) },
      { recipientType: 'hexmount', amountUnits: 75n * 10n ** 17n },
      { recipientType: 'sixk', amountUnits: 75n * 10n ** 17n },
    ],
    dueAt: new Date('2026-03-02T10:00:00Z'),
  });
});

test('the platform shares its part by weight, and a weight of zero gets nothing', () => {
  const { split } = planBotInvoice(usdt(100), { ...equally, platformWeights: { hexmount: 0, sixk: 3 } });
  expect(split).toEqual([
    { recipientType: 'community', amountUnits: usdt(85) },
    { recipientType: 'sixk', amountUnits: usdt(15) },
  ]);
});

test('parts sum to the amount for every amount and percentage', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 30n }),
      fc.integer({ min: 0, max: 10_000 }),
      (amount, of) => {
        const communityPercentage = (of / 100).toFixed(2);
        const { split } = planBotInvoice(amount, { ...equally, communityPercentage });
        expect(split.reduce((sum, { amountUnits }) => sum + amountUnits, 0n)).toBe(amount);
      },
    ),
  );
});

test.each([
  ['an unpaid sale', 'pending', 0n, null],
  ['a sale paid in part', 'pending', 1n, 'sale_part_paid'],
  ['a paid sale', 'paid', 5n, 'sale_settled'],
  ['a cancelled sale', 'cancelled', 0n, 'sale_settled'],
] as const)('cancelling %s', (_, status, paidUnits, refusal) => {
  expect(refuseCancelling({ status, paidUnits })).toBe(refusal);
  expect(refuseCoupon({ status, paidUnits, hasCoupon: false })).toBe(refusal);
  expect(refuseCoupon({ status, paidUnits, hasCoupon: true })).toBe(refusal ?? 'coupon_applied');
});
