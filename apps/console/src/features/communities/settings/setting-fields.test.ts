import { expect, test } from 'vitest';
import { settingError, settingText, settingValue } from './setting-fields.ts';

const community = {
  referrer_wallet_address: '0x1',
  providers: [
    { id: 'a', display_name: 'Aurora', payment_split_percentage: 0.35 },
    { id: 'd', display_name: 'Dune', payment_split_percentage: 0.5 },
  ],
};

test.each([
  ['split_percentage', '', 'Required'],
  ['split_percentage', 'abc', 'Enter a number from 0 to 100'],
  ['split_percentage', '-1', 'Enter a number from 0 to 100'],
  ['split_percentage', '1e1', 'Enter a number from 0 to 100'],
  ['split_percentage', '100.5', 'Enter a number from 0 to 100'],
  ['split_percentage', '1.005', 'Enter at most 2 decimals'],
  ['split_percentage', '49.01', 'At most 49% is left beside Dune'],
  ['split_percentage', ' 49 ', null],
  ['split_percentage', '0', null],
  ['minimum_balance', '0', 'Enter a whole number of at least 1'],
  ['minimum_balance', '1.5', 'Enter a whole number of at least 1'],
  ['minimum_balance', '500', null],
  ['referrer_wallet_address', 'anything', null],
] as const)('%s %s: %s', (setting, typed, error) => {
  expect(settingError(setting, typed, community)).toBe(error);
});

test('figures are sent as numbers, an empty address as none', () => {
  expect(settingValue('split_percentage', ' 7.50 ')).toBe(7.5);
  expect(settingValue('referrer_wallet_address', '  ')).toBeNull();
});

test('settings are displayed in the usual form', () => {
  expect(settingText('split_percentage', '7.5')).toBe('7.5%');
  expect(settingText('minimum_balance', '10000')).toBe('10,000 USDT');
  expect(settingText('referrer_wallet_address', null)).toBe('none');
});
