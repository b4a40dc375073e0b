import { expect, test } from 'vitest';
import { communitySplitWords, revenueWords, superAdminSplitWords, tradersWords } from './figure-texts.ts';

const split = (communityPercentage: string, superAdminPercentage: string) => ({
  communityPercentage,
  superAdminPercentage,
  revenue: { low: '-2500.5', high: '-7501.5' },
});

test.each([
  ['5.75', '9.25', '5.75%', '9.25%'],
  ['5', '10', '5%', '10%'],
  // The halves: 5.76 + 9.24 make 15, where both rounded up would make 15.01.
  ['5.755', '9.245', '5.76%', '9.24%'],
  ['15.005', '-0.005', '15.01%', '-0.01%'],
  ['15', '0', '15%', '0%'],
  ['20', '-5', '20%', '-5%'],
])('splits of %s and %s are shown as %s and %s', (community, rest, shown, shownRest) => {
  expect(communitySplitWords(split(community, rest))).toBe(shown);
  expect(superAdminSplitWords(split(community, rest))).toBe(shownRest);
});

test('negative revenue is shown as it is', () => {
  expect(revenueWords(split('20', '-5'))).toBe('-$2,501 to -$7,502');
});

test('the average of traders has at most one decimal', () => {
  expect(tradersWords(62.5)).toBe('62.5 traders per community on average');
  expect(tradersWords(200 / 3)).toBe('66.7 traders per community on average');
  expect(tradersWords(null)).toBe('No active community');
});
