import { expect, test } from 'vitest';
import { isCurrent, navLinks } from './nav-links.ts';

test('Traders is the current link on the list and on a trader', () => {
  const [traders] = navLinks;
  if (!traders) throw new Error('no links');
  expect(isCurrent(traders, '/')).toBe(true);
  expect(isCurrent(traders, '/trader/1')).toBe(true);
  expect(isCurrent(traders, '/invoices')).toBe(false);
});

test('the links keep the order of the console spec', () => {
  expect(navLinks.map((link) => link.label)).toEqual([
    'Traders',
    'Communities',
    'Invoices',
    'Transaction History',
  ]);
});
