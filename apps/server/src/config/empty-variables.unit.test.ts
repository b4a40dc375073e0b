import { SETTING_DEFAULTS } from '@copydesk/domain/settings';
import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';

test.each(['', ' '])('an empty variable counts as unset, and never as zero: %j', (empty) => {
  const names = [
    'PAYOUT_ADDRESS_HOLD_HOURS',
    'APPROVER_MIN_HOURS',
    'HEXMOUNT_WEIGHT',
    'PAYOUT_MAX_PER_DAY',
    'APPROVAL_ABOVE_USDT',
    'TELEGRAM_BOT_TOKEN',
    'LOCKED_SETTINGS',
    'PORT',
  ];
  const config = readConfig(Object.fromEntries(names.map((name) => [name, empty])));
  expect(config).toEqual(readConfig({}));
  expect(config.settings).toMatchObject({ defaults: SETTING_DEFAULTS, given: [], locked: [] });
});

test('levels of traders cannot be locked: no variable gives them', () => {
  expect(readConfig({ LOCKED_SETTINGS: 'vip_tiers,commission_rate' }).settings.locked).toEqual([
    'commission_rate',
  ]);
  expect(readConfig({ LOCKED_SETTINGS: 'all' }).settings.locked).not.toContain('vip_tiers');
});
