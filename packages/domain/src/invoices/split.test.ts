import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitInvoice } from './split.ts';

const terms = {
  providerShare: '0.70',
  communityPercentage: '10',
  hasCommunityReferrer: true,
  traderReferralPercentage: '20',
};

test('an invoice of 100 USDT goes to its recipients by their shares', () => {
  const units = (usdt: number) => BigInt(usdt) * 10n ** 18n;
  expect(splitInvoice(units(1000), terms)).toEqual([
    { recipientType: 'mark', amountUnits: units(700) },
    { recipientType: 'community', amountUnits: units(80) },
    { recipientType: 'community_referrer', amountUnits: units(10) },
    { recipientType: 'trader_referrer', amountUnits: units(20) },
    { recipientType: 'hexmount', amountUnits: units(95) },
    { recipientType: 'sixk', amountUnits: units(95) },
  ]);
});

test('an unknown provider gets 70 per cent', () => {
  const [mark] = splitInvoice(1000n, { ...terms, providerShare: null }) ?? [];
  expect(mark).toEqual({ recipientType: 'mark', amountUnits: 700n });
});

test('terms that leave the platform less than zero are refused', () => {
  expect(splitInvoice(1000n, { ...terms, providerShare: '0.95' })).toBeNull();
});

test('parts always sum to the whole, and none is off by a unit or more', () => {
  const twoDecimals = (max: number) =>
    fc.integer({ min: 0, max: max * 100 }).map((n) => (n / 100).toFixed(2));
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 30n }),
      twoDecimals(1),
      twoDecimals(100),
      twoDecimals(100),
      fc.boolean(),
      (amount, providerShare, communityPercentage, traderReferralPercentage, hasCommunityReferrer) => {
        const parts = splitInvoice(amount, {
          providerShare,
          communityPercentage,
          hasCommunityReferrer,
          traderReferralPercentage,
        });
        if (parts === null) return;
        expect(parts.reduce((sum, part) => sum + part.amountUnits, 0n)).toBe(amount);
        const mark = parts.find((part) => part.recipientType === 'mark')?.amountUnits ?? 0n;
        const exact = (amount * BigInt(Math.round(Number(providerShare) * 100))) / 100n;
        expect(mark - exact).toBeGreaterThanOrEqual(0n);
        expect(mark - exact).toBeLessThanOrEqual(1n);
      },
    ),
    { numRuns: 2000 },
  );
});
