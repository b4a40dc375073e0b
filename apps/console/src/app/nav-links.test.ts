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
    'Super Admin',
  ]);
});

test('only super admins see the last link, which is the current one on a pool as well', () => {
  const superOnly = navLinks.filter((link) => link.superOnly);
  expect(superOnly.map((link) => link.to)).toEqual(['/super-admin']);
  expect(superOnly.every((link) => isCurrent(link, '/pools/1'))).toBe(true);
});
