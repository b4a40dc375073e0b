import { expect, test } from 'vitest';
import { listPathOf } from './organization-choice.ts';

test.each([
  ['/', '/'],
  ['/trader/4f', '/'],
  ['/invoices', '/invoices'],
  ['/community-settings/4f', '/communities'],
  ['/pools/4f', '/pools'],
  ['/team', '/team'],
])('%s belongs to %s', (pathname, list) => {
  expect(listPathOf(pathname)).toBe(list);
});
