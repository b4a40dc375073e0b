import { needsSecondPerson, type PlatformSettings, SETTING_NAMES } from '@copydesk/domain/settings';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../../tests/support/database.ts';
import { asOwner } from '../../../../../tests/support/owner.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const LIMITS = [null, 0, 1, 499.5, 500, 5_000];
const DECIMALS = [null, '0', '0.5', '10', '1000000.000001'];
const HOURS = [0, 1, 24, 72, 73, 168];
const VALUES: { [Name in keyof PlatformSettings]: readonly PlatformSettings[Name][] } = {
  approval_above_usdt: DECIMALS,
  write_off_above_usdt: DECIMALS,
  tip_up_to_usdt: ['0', '0.5', '1', '10'],
  minimum_invoice_usdt: ['0', '0.5', '1', '10'],
  scheduled_invoicing: ['send', 'draft'],
  minimum_payout_usdt: ['0', '0.5', '1', '10'],
  approver_min_hours: HOURS,
  payout_max_per_transaction: LIMITS,
  payout_max_per_day: LIMITS,
  payout_address_hold_hours: HOURS,
  chain_max_fee_gwei: [1, 20, 100],
  stop_after_set_aside: [0, 1, 5, 6],
  platform_weights: [
    { hexmount: 1, sixk: 1 },
    { hexmount: 2, sixk: 1 },
  ],
  commission_rate: ['0.5', '0.1'],
  invoice_due_days: [3, 30],
  bot_community_percentage: ['80', '90'],
  egress_addresses: [[], ['203.0.113.7'], ['203.0.113.7', '203.0.113.8']],
  vip_tiers: [[], [{ name: 'A', min_aum: '1' }]],
  community_plans: [
    { monthly: null, yearly: null },
    { monthly: '1', yearly: null },
  ],
};

test.each(SETTING_NAMES)('%s takes a second person where the database says so', async (name) => {
  const pairs = VALUES[name].flatMap((from) => VALUES[name].map((to) => [from, to] as const));
  const differing = pairs.filter(([from, to]) => JSON.stringify(from) !== JSON.stringify(to));
  const rows = await asOwner<{ needs: boolean }>(
    database.ownerUrl,
    `SELECT app.setting_needs_second($1, p -> 0, p -> 1) AS needs
     FROM jsonb_array_elements($2::jsonb) WITH ORDINALITY x (p, place) ORDER BY place`,
    [name, JSON.stringify(differing)],
  );
  expect(rows.map(({ needs }) => needs)).toEqual(
    differing.map(([from, to]) => needsSecondPerson(name, from as never, to as never)),
  );
});

test('a setting that the database does not know takes two', async () => {
  const [row] = await asOwner(
    database.ownerUrl,
    `SELECT app.setting_needs_second('of_tomorrow', '1', '2') AS needs`,
  );
  expect(row).toEqual({ needs: true });
});
