import { SETTING_DEFAULTS, SETTING_NAMES } from '@copydesk/domain/settings';
import { expect, test } from 'vitest';
import { type Draft, draftOf, isSameValue, readDraft } from './setting-draft.ts';

test.each(SETTING_NAMES)('%s: its default is read as it was', (name) => {
  expect(readDraft(name, draftOf(name, SETTING_DEFAULTS[name]))).toEqual({ value: SETTING_DEFAULTS[name] });
});

test.each([
  ['approval_above_usdt', '', { value: null }],
  ['approval_above_usdt', '99.5', { value: '99.5' }],
  ['approval_above_usdt', '-1', { error: 'Enter an amount, as in 500 or 99.5' }],
  ['payout_max_per_day', ' 5000 ', { value: 5000 }],
  ['approver_min_hours', '', { error: 'Enter a whole number from 0 to 168' }],
  ['approver_min_hours', '1.5', { error: 'Enter a whole number from 0 to 168' }],
  ['commission_rate', '50', { error: 'Enter a number from 0 to 1 with at most 4 decimals' }],
  [
    'bot_community_percentage',
    '100.5',
    { error: 'Enter a percentage from 0 to 100 with at most 2 decimals' },
  ],
  ['bot_community_percentage', '82.5', { value: '82.5' }],
  ['platform_weights', { hexmount: '0', sixk: '0' }, { error: 'One of them has to be above 0' }],
  ['platform_weights', { hexmount: '3', sixk: '' }, { error: 'Enter whole numbers from 0 to 1000' }],
  ['egress_addresses', '203.0.113.7\n203.0.113.7, 2001:db8::1', { value: ['203.0.113.7', '2001:db8::1'] }],
  ['community_plans', { monthly: '49.90', yearly: '' }, { value: { monthly: '49.90', yearly: null } }],
  ['community_plans', { monthly: '$49', yearly: '' }, { error: 'Enter a price, as in 49 or 49.90' }],
  ['egress_addresses', 'example.com', { error: 'example.com is not an IP address' }],
  ['vip_tiers', [], { error: 'Keep at least one level' }],
  [
    'vip_tiers',
    [
      { name: 'A', min_aum: '10', benefits: '' },
      { name: 'B', min_aum: '9.99', benefits: '' },
    ],
    { error: 'Each level needs a higher AUM than the one before' },
  ],
  [
    'vip_tiers',
    [{ name: ' A ', min_aum: '1', benefits: ' Calls ' }],
    { value: [{ name: 'A', min_aum: '1', benefits: 'Calls' }] },
  ],
] as const)('%s from %j', (name, draft, expected) => {
  expect(readDraft(name, draft as unknown as Draft)).toEqual(expected);
});

test('an unchanged value is known, however it is written', () => {
  expect(isSameValue('commission_rate', '0.50', '0.5')).toBe(true);
  expect(isSameValue('commission_rate', '0.50', '0.51')).toBe(false);
  expect(isSameValue('approval_above_usdt', null, null)).toBe(true);
  expect(isSameValue('approval_above_usdt', null, '500')).toBe(false);
  expect(isSameValue('platform_weights', { sixk: 1, hexmount: 1 }, { hexmount: 1, sixk: 1 })).toBe(true);
  expect(isSameValue('egress_addresses', ['203.0.113.7'], [])).toBe(false);
});
