import { expect, test } from 'vitest';
import { isCurrent, navFor, navGroups } from './nav-links.ts';

const linksFor = (isSuper: boolean) => navFor({ super: isSuper }).flatMap(({ links }) => links);

test.each([
  ['/', 'Traders'],
  ['/trader/1', 'Traders'],
  ['/communities', 'Communities'],
  ['/community-settings/1/bot', 'Communities'],
  ['/providers/1', 'Providers'],
  ['/pools/1', 'Pools'],
  ['/invoices', 'Invoices'],
  ['/messages/bots', 'Messages'],
  ['/super-admin', 'Super Admin'],
  ['/people/1', 'People'],
])('on %s one link is the current one: %s', (pathname, label) => {
  const current = linksFor(true).filter((link) => isCurrent(link, pathname));
  expect(current.map((link) => link.label)).toEqual([label]);
});

test('the links of the console spec keep their order among each other', () => {
  const ofSpec = ['Traders', 'Communities', 'Invoices', 'Transaction History', 'Super Admin'];
  const labels = navGroups.flatMap(({ links }) => links.map(({ label }) => label));
  expect(labels.filter((label) => ofSpec.includes(label))).toEqual(ofSpec);
});

test('staff see what they may open, in groups that are not empty', () => {
  expect(navFor({ super: false }).map(({ label }) => label)).toEqual([null, 'Clients', 'Money', 'Channels']);
  expect(linksFor(false).map(({ label }) => label)).toEqual([
    'Overview',
    'Attention',
    'Traders',
    'Communities',
    'Accounts',
    'Pools',
    'Invoices',
    'Transaction History',
    'Messages',
  ]);
});
