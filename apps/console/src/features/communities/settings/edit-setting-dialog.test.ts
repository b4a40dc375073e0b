import { expect, test } from 'vitest';
import type { CommunityWithSettings } from '../communities-queries.ts';
import { previewSplit } from './edit-setting-dialog.tsx';

const community = {
  split_percentage: 5,
  referrer_wallet_address: '0x1',
  providers: [
    { id: 'a', display_name: 'Aurora', payment_split_percentage: 0.35 },
    { id: 'd', display_name: 'Dune', payment_split_percentage: 0.5 },
  ],
} as CommunityWithSettings;

test('an invoice of 100 USDT before and after, for each provider', () => {
  expect(previewSplit(community, '7.25')).toEqual([
    {
      name: 'Aurora',
      before: { mark: '35.00', community: '5.00', referrer: '1.00', platform: '59.00' },
      after: { mark: '35.00', community: '7.25', referrer: '1.00', platform: '56.75' },
    },
    {
      name: 'Dune',
      before: { mark: '50.00', community: '5.00', referrer: '1.00', platform: '44.00' },
      after: { mark: '50.00', community: '7.25', referrer: '1.00', platform: '41.75' },
    },
  ]);
});

test('a split that is too much for one provider says so there only', () => {
  const rows = previewSplit(community, '60');
  expect(rows.map(({ name, after }) => [name, after?.platform])).toEqual([
    ['Aurora', '4.00'],
    ['Dune', undefined],
  ]);
});

test('an empty share is 0.00', () => {
  const [row] = previewSplit({ ...community, referrer_wallet_address: null }, '65');
  expect(row?.after).toEqual({ mark: '35.00', community: '65.00', referrer: '0.00', platform: '0.00' });
});

test('shares with more decimals than are shown still come to the whole', () => {
  const thirds = [{ id: 'a', display_name: 'Aurora', payment_split_percentage: 0.33333 }];
  const [row] = previewSplit({ ...community, providers: thirds } as CommunityWithSettings, '33.33');
  expect(row?.after).toEqual({ mark: '33.33', community: '33.33', referrer: '1.00', platform: '32.34' });
});
