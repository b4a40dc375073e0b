import { expect, test } from 'vitest';
import { tabOf } from './trader-status.ts';

test.each([
  ['pending', 0, null],
  ['pending', 1, 'inbox'],
  ['pending', 3, 'inbox'],
  ['connected', 0, 'connected'],
  ['connected', 2, 'connected'],
  ['delinquent', 0, 'delinquent'],
  ['delinquent', 1, 'delinquent'],
] as const)('a %s trader with %i accounts is in the tab %s', (status, accounts, tab) => {
  expect(tabOf(status, accounts)).toBe(tab);
});
