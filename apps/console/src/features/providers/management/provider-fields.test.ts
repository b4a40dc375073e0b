import { expect, test } from 'vitest';
import type { Provider } from '../providers-queries.ts';
import { bodyOf, formOf, type ProviderForm, providerErrors, sharePreview } from './provider-fields.ts';

const provider = {
  id: 'p',
  name: 'aurora',
  display_name: 'Aurora',
  payment_split_percentage: 0.35,
  supported_exchanges: ['okx', 'hyperliquid'],
  is_active: true,
  invoicing_enabled: true,
  payout_address: null,
  minimum_commission_rate: 0,
  telegram_admin_channel_id: null,
  reveal_super_only: false,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  version: '0123456789abcdef',
} satisfies Provider;
const form = (changes: Partial<ProviderForm> = {}) => ({ ...formOf(provider), ...changes });

test('a new provider has the defaults of the spec', () => {
  expect(formOf(null)).toMatchObject({
    payment_split_percentage: '0.35',
    supported_exchanges: [],
    is_active: true,
  });
  expect(providerErrors(formOf(null))).toEqual({
    name: 'Provider name is required',
    display_name: 'Display name is required',
  });
});

test.each(['', '1.01', '-0.1', '0.355', '.', 'a', '2', '1.5'])('%j is no share', (typed) => {
  expect(providerErrors(form({ payment_split_percentage: typed }))).toHaveProperty(
    'payment_split_percentage',
  );
  expect(sharePreview(typed)).toBe('');
});
test.each([
  ['0', '0%'],
  ['1', '100%'],
  ['1.00', '100%'],
  ['.07', '7%'],
  ['0.29', '29%'],
])('%j is a share of %s', (typed, shown) => {
  expect(providerErrors(form({ payment_split_percentage: typed }))).toBeNull();
  expect(sharePreview(typed)).toBe(shown);
});

test('an update has only what changed, and Hyperliquid in a stored list is no change', () => {
  expect(bodyOf(form(), provider)).toEqual({});
  expect(bodyOf(form({ display_name: ' Aurora ', payment_split_percentage: '0.350' }), provider)).toEqual({});
  expect(bodyOf(form({ supported_exchanges: ['okx', 'bybit'], payout_address: ' 0xab ' }), provider)).toEqual(
    { supported_exchanges: ['bybit', 'okx'], payout_address: '0xab' },
  );
});
