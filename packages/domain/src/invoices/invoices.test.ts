import { expect, test } from 'vitest';
import { providerShareOf } from './invoices.ts';

test.each([
  ['100', '0.35', '35'],
  ['100', null, '70'],
  ['0.01', '0.7', '0.007'],
  ['123456789.000000000000000001', '0.3333', '41148147.7737000000000000003333'],
  ['5', '0', '0'],
])('of %s at a split of %s the provider gets %s', (amount, split, share) => {
  expect(providerShareOf(amount, split)).toBe(share);
});
