import { expect, test } from 'vitest';
import { gasLevel, gasWords } from './gas-wallet-panel.tsx';

test('the level of the gas wallet follows the transfers that it pays for', () => {
  expect([0, 1, 99, 100, 1_000_000].map(gasLevel)).toEqual(['empty', 'low', 'low', 'enough', 'enough']);
});

test('without a recent fee, the number is a lower bound', () => {
  expect(gasWords(1, 'recent')).toBe('About 1 transfer at recent cost');
  expect(gasWords(2_345, 'recent')).toBe('About 2,345 transfers at recent cost');
  expect(gasWords(55, 'highest')).toBe('At least 55 transfers at the highest gas price');
  expect(gasWords(0, 'highest')).toBe('Less than one transfer at the highest gas price');
});
