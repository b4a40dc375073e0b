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

test('absent recipients have no part: the rest is the platform’s', () => {
  const alone = { ...terms, hasCommunityReferrer: false, traderReferralPercentage: null };
  expect(splitInvoice(1000n, alone)).toEqual([
    { recipientType: 'mark', amountUnits: 700n },
    { recipientType: 'community', amountUnits: 100n },
    { recipientType: 'hexmount', amountUnits: 100n },
    { recipientType: 'sixk', amountUnits: 100n },
  ]);
});

test.each([
  [{ hexmount: 3, sixk: 1 }, 75n, 25n],
  [{ hexmount: 0, sixk: 2 }, undefined, 100n],
  [{ hexmount: 1, sixk: 0 }, 100n, undefined],
])('the platform’s recipients share its part by their weights: %o', (platformWeights, hexmount, sixk) => {
  const split = splitInvoice(500n, { ...terms, hasCommunityReferrer: false, platformWeights }) ?? [];
  const units = new Map(split.map(({ recipientType, amountUnits }) => [recipientType, amountUnits]));
  expect([units.get('hexmount'), units.get('sixk')]).toEqual([hexmount, sixk]);
});

test('a trader’s referrer gets at most all of the community’s part', () => {
  const [, second] = splitInvoice(1000n, { ...terms, traderReferralPercentage: '100' }) ?? [];
  expect(second).toEqual({ recipientType: 'community_referrer', amountUnits: 10n });
  expect(splitInvoice(1000n, { ...terms, traderReferralPercentage: '100.01' })).toBeNull();
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
