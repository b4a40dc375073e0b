import { expect, test } from 'vitest';
import { balanceSheet } from './balance-sheet.ts';

const BOOKS = {
  proxy: '0.1',
  transit: '0.2',
  exchange: '9007199254740993.000000000000000001',
  shortfall: '0',
  capital: '9007199254740993.2',
  returned: '0.05',
  fees_due: '0.050000000000000001',
  unexplained: '0',
};

test('both totals are exact beyond what a float holds, and equal', () => {
  expect(balanceSheet(BOOKS)).toEqual({
    assets: '9007199254740993.300000000000000001',
    liabilities: '9007199254740993.300000000000000001',
    difference: '0',
  });
});

test.each([
  ['shortfall', '0.000000000000000001', '0.000000000000000001'],
  ['unexplained', '12.5', '-12.5'],
  ['unexplained', '-9007199254740994', '9007199254740994'],
] as const)('%s of %s USDT more differs by %s', (line, amount, difference) => {
  expect(balanceSheet({ ...BOOKS, [line]: amount }).difference).toBe(difference);
});
