import { expect, test } from 'vitest';
import { waitingWords } from './unmatched-words.ts';

test.each([
  [1, '7', '1 payment of 7.00 USDT waits for an invoice'],
  [3, '120.5', '3 payments of 120.50 USDT wait for an invoice'],
  [1200, '98765.4321', '1,200 payments of 98,765.4321 USDT wait for an invoice'],
])('%i payments of %s USDT', (total, total_amount, words) => {
  expect(waitingWords({ total, total_amount })).toBe(words);
});
