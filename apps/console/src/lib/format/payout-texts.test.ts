import { expect, test } from 'vitest';
import { capitalised, statusWords, typeWords } from './payout-texts.ts';

test('types and statuses in words', () => {
  expect(typeWords('community_referrer')).toBe('community referrer');
  expect(statusWords('')).toBe('unknown');
  expect(capitalised(typeWords('trader_referrer'))).toBe('Trader referrer');
});
