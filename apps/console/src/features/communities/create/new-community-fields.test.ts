import { expect, test } from 'vitest';
import { communityErrors, type NewCommunity } from './new-community-fields.ts';

const form = (changes: Partial<NewCommunity> = {}): NewCommunity => ({
  name: 'North',
  provider_ids: ['p'],
  split_percentage: '5',
  minimum_balance: '10000',
  external_wallet_address: '',
  referrer_wallet_address: '',
  owner_name: '',
  owner_telegram_id: '',
  owner_language: 'en',
  bot_token: '',
  ...changes,
});

test('a name and a provider are enough', () => {
  expect(communityErrors(form())).toBeNull();
});

test.each<[keyof NewCommunity, string | string[]]>([
  ['name', '  '],
  ['provider_ids', []],
  ['split_percentage', '100.01'],
  ['split_percentage', '5.123'],
  ['split_percentage', ''],
  ['minimum_balance', '0'],
  ['minimum_balance', '1.5'],
  ['owner_telegram_id', '-100'],
  ['owner_telegram_id', '@owner'],
])('%s of %j is refused', (name, value) => {
  expect(Object.keys(communityErrors(form({ [name]: value })) ?? {})).toEqual([name]);
});
