import { expect, test } from 'vitest';
import { findExceededSplits, largestCommunityPercentage, largestProviderShare } from './community-split.ts';
import { splitInvoice } from './split.ts';

const AURORA = { name: 'Aurora', providerShare: '0.3500' };
const DUNE = { name: 'Dune', providerShare: '0.5000' };
const UNKNOWN = { name: 'none', providerShare: null };

test('terms that fit every provider exceed nothing', () => {
  const terms = { communityPercentage: '29', hasCommunityReferrer: true };
  expect(findExceededSplits(terms, [AURORA, DUNE, UNKNOWN])).toEqual([]);
});

test('names the providers that would leave the platform below zero, an unknown one by its fallback', () => {
  const terms = { communityPercentage: '50', hasCommunityReferrer: true };
  expect(findExceededSplits(terms, [AURORA, DUNE, UNKNOWN])).toEqual([DUNE, UNKNOWN]);
});

test('the largest percentage is the last one that splits', () => {
  for (const providerShare of ['0.3500', '0.5000', '1.0000', null]) {
    for (const hasCommunityReferrer of [true, false]) {
      const most = largestCommunityPercentage(providerShare, hasCommunityReferrer);
      const split = (communityPercentage: string) =>
        splitInvoice(100n, {
          providerShare,
          communityPercentage,
          hasCommunityReferrer,
          traderReferralPercentage: null,
        });
      const isFull = providerShare === '1.0000' && hasCommunityReferrer;
      expect(split(most) === null).toBe(isFull);
      expect(split(String(Number(most) + 0.01))).toBeNull();
    }
  }
});

test('the largest share of a provider is the last one that splits', () => {
  for (const communityPercentage of ['0', '5.25', '64', '99.99']) {
    for (const hasCommunityReferrer of [true, false]) {
      const terms = { communityPercentage, hasCommunityReferrer };
      const most = largestProviderShare(terms);
      const exceeds = (providerShare: string) =>
        findExceededSplits(terms, [{ name: 'one', providerShare }]).length > 0;
      expect(exceeds(most)).toBe(communityPercentage === '99.99' && hasCommunityReferrer);
      expect(exceeds(String(Number(most) + 0.0001))).toBe(true);
    }
  }
});
