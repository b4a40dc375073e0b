import { expect, test } from 'vitest';
import { waitingWords } from './unmatched-notice.tsx';

test.each([
  [1, 0, '7', '1 payment of 7.00 USDT waits for an invoice'],
  [3, 0, '120.5', '3 payments of 120.50 USDT wait for an invoice'],
  [
    1200,
    2,
    '98765.4321',
    '1,200 payments of 98,765.4321 USDT wait for an invoice, 2 payments are being sent back',
  ],
  [0, 1, '0', '1 payment is being sent back'],
])('%i payments wait and %i are being sent back', (waiting, returning, total_amount, words) => {
  expect(waitingWords({ total: waiting + returning, waiting, returning, total_amount })).toBe(words);
});
