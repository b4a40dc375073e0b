import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  needsSecondPerson,
  type PlatformSettings,
  SETTING_DEFAULTS,
  SETTING_NAMES,
  type SettingName,
} from './platform-settings.ts';

const cases: { [Name in SettingName]?: [PlatformSettings[Name], PlatformSettings[Name], boolean][] } = {
  approval_above_usdt: [
    ['100', null, true],
    ['100', '100.01', true],
    ['100', '99.99', false],
    [null, '100', false],
    [null, null, false],
    ['9', '10', true],
  ],
  write_off_above_usdt: [
    ['1000', null, true],
    ['1000', '1000.01', true],
    ['1000', '0', false],
    [null, '1000', false],
  ],
  tip_up_to_usdt: [
    ['1', '1.01', true],
    ['1', '0', false],
  ],
  minimum_invoice_usdt: [
    ['1', '1.01', true],
    ['1', '0', false],
  ],
  scheduled_invoicing: [
    ['send', 'draft', true],
    ['draft', 'draft', false],
    ['draft', 'send', false],
  ],
  minimum_payout_usdt: [
    ['1', '1.01', true],
    ['1', '0', false],
  ],
  approver_min_hours: [
    [24, 23, true],
    [24, 72, false],
    [24, 73, true],
    [80, 80, false],
    [96, 73, true],
  ],
  payout_max_per_transaction: [
    [1_000, 2_000, true],
    [null, 2_000, false],
    [2_000, null, true],
  ],
  payout_max_per_day: [
    [1_000, null, true],
    [1_000, 999, false],
  ],
  payout_address_hold_hours: [
    [24, 0, true],
    [0, 72, false],
    [0, 73, true],
    [72, 8_760, true],
  ],
  chain_max_fee_gwei: [
    [20, 21, true],
    [20, 5, false],
  ],
  stop_after_set_aside: [
    [5, 6, true],
    [5, 0, true],
    [5, 1, false],
    [0, 5, false],
    [0, 0, false],
  ],
  platform_weights: [[{ hexmount: 1, sixk: 1 }, { hexmount: 1, sixk: 0 }, true]],
  commission_rate: [['0.5', '0.9', false]],
  invoice_due_days: [[3, 30, false]],
  bot_community_percentage: [
    ['85', '90', true],
    ['85', '80', true],
  ],
  egress_addresses: [
    [[], ['203.0.113.7'], true],
    [['203.0.113.7'], [], false],
  ],
  vip_tiers: [[[], [{ name: 'Gold', min_aum: '1' }], false]],
  community_plans: [[{ monthly: null, yearly: null }, { monthly: '49', yearly: null }, false]],
};

test.each(SETTING_NAMES)(
  '%s asks for a second person when it loosens, or delays by more than three days',
  (name) => {
    for (const [from, to, expected] of cases[name] ?? [])
      expect(needsSecondPerson(name, from as never, to as never), JSON.stringify([from, to])).toBe(expected);
    expect(cases[name], 'a new setting needs cases here').toBeDefined();
  },
);

test('no sequence of changes by one person loosens a limit', () => {
  const limit = fc.option(fc.integer({ min: 1, max: 1_000 }), { nil: null });
  fc.assert(
    fc.property(limit, fc.array(limit, { maxLength: 20 }), (start, wanted) => {
      let now = start;
      for (const next of wanted) if (!needsSecondPerson('payout_max_per_day', now, next)) now = next;
      return (now ?? Number.POSITIVE_INFINITY) <= (start ?? Number.POSITIVE_INFINITY);
    }),
  );
});

test('the levels of traders rise', () => {
  const minimums = SETTING_DEFAULTS.vip_tiers.map(({ min_aum }) => Number(min_aum));
  expect(minimums).toEqual(minimums.toSorted((a, b) => a - b));
});
