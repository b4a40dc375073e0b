import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ExactDecimal } from '../../money/exact-decimal.ts';
import { type DashboardCommunity, dashboardFigures } from './dashboard-figures.ts';

const community = (changes: Partial<DashboardCommunity> = {}): DashboardCommunity => ({
  name: 'Aurora',
  isArchived: false,
  totalAum: '1000000',
  traderCount: 50,
  splitPercentage: '5',
  ...changes,
});

test('the figures of two communities, by the formulas of the specification', () => {
  const figures = dashboardFigures([
    community(),
    community({ name: 'Dune', totalAum: '3000000.50', traderCount: 75, splitPercentage: '6.5' }),
  ]);
  expect(figures).toEqual({
    totalAum: '4000000.5',
    highest: { name: 'Dune', totalAum: '3000000.50' },
    communityCount: 2,
    traderCount: 125,
    averageTraders: 62.5,
    split: {
      communityPercentage: '5.75',
      superAdminPercentage: '9.25',
      // 4,000,000.50 x 10 % x 9.25 % / 2, and three times that.
      revenue: { low: '18500.0023125', high: '55500.0069375' },
    },
  });
});

test('archived communities count in no figure', () => {
  const archived = community({
    isArchived: true,
    totalAum: '9000000',
    traderCount: 9,
    splitPercentage: '90',
  });
  expect(dashboardFigures([community(), archived])).toEqual(dashboardFigures([community()]));
});

test('communities that get more than 15 % on average make a negative split and revenue', () => {
  const { split } = dashboardFigures([community({ splitPercentage: '20' })]);
  expect(split).toEqual({
    communityPercentage: '20',
    superAdminPercentage: '-5',
    revenue: { low: '-2500', high: '-7500' },
  });
});

test('the mean is plain: a large community weighs no more than a small one', () => {
  const { split } = dashboardFigures([
    community({ totalAum: '9000000', splitPercentage: '4' }),
    community({ totalAum: '1', splitPercentage: '10' }),
  ]);
  expect(split?.communityPercentage).toBe('7');
});

test('without an active community there is no average, and without AUM no highest community', () => {
  expect(dashboardFigures([community({ isArchived: true })])).toEqual({
    totalAum: '0',
    highest: null,
    communityCount: 0,
    traderCount: 0,
    averageTraders: null,
    split: null,
  });
  expect(dashboardFigures([community({ totalAum: '0' })]).highest).toBeNull();
});

test('the total keeps 18 decimals, where a float would lose them', () => {
  const figures = dashboardFigures([
    community({ totalAum: '123456789012.000000000000000001' }),
    community({ totalAum: '0.000000000000000001' }),
  ]);
  expect(figures.totalAum).toBe('123456789012.000000000000000002');
});

test('revenue at 30 % returns is three times that at 10 %, and the two splits make 15 %', () => {
  const amount = fc
    .bigInt({ min: 0n, max: 10n ** 30n })
    .map((units) => new ExactDecimal(`${units}e-18`).toFixed());
  const percentage = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => String(hundredths / 100));
  const generated = fc.record({ totalAum: amount, splitPercentage: percentage }).map(community);
  fc.assert(
    fc.property(fc.array(generated, { minLength: 1, maxLength: 20 }), (communities) => {
      const { split } = dashboardFigures(communities);
      if (!split) throw new Error('no split');
      const off = new ExactDecimal(split.revenue.low).times(3).minus(split.revenue.high).abs();
      expect(off.lessThan('1e-60')).toBe(true);
      const whole = new ExactDecimal(split.communityPercentage).plus(split.superAdminPercentage);
      expect(whole.minus(15).abs().lessThan('1e-60')).toBe(true);
    }),
  );
});
