import { SETTING_DEFAULTS } from '@copydesk/domain/settings';
import { expect, test } from 'vitest';
import { settingsFrom } from './live-settings.ts';

const base = {
  defaults: { ...SETTING_DEFAULTS, payout_max_per_day: 1_000, approval_above_usdt: '500' },
  given: ['payout_max_per_day', 'approval_above_usdt', 'invoice_due_days'] as const,
  locked: [],
};
const settled = (stored: Parameters<typeof settingsFrom>[1]) => settingsFrom(base, stored);

test.each([
  [{ payout_max_per_day: 900 }, { payout_max_per_day: 900 }],
  [{ payout_max_per_day: 1_001 }, { payout_max_per_day: 1_000 }],
  [{ payout_max_per_day: null }, { payout_max_per_day: 1_000 }],
  [{ approval_above_usdt: '500.01' }, { approval_above_usdt: '500' }],
  [{ approval_above_usdt: '0' }, { approval_above_usdt: '0' }],
  // No bound is given for it, and days are no limit on money.
  [{ payout_max_per_transaction: 5 }, { payout_max_per_transaction: 5 }],
  [{ invoice_due_days: 30 }, { invoice_due_days: 30 }],
])('what is stored holds as far as the environment lets it: %j', (stored, expected) => {
  expect(settled(stored)).toMatchObject(expected);
});
