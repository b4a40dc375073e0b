import type { CallAnswer } from '@copydesk/contract';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { distributionOf } from '../../../../../tests/e2e/support/distribute.ts';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import { type Answers, refuse } from '../../testing/serve-calls.ts';
import { idOf, READS_UNDER_WAY, type Shown, showScreen } from '../../testing/show-screen.tsx';

const NONE = { success: true as const, data: [], meta: { total: 0 } };
const SETTINGS = 'GET /api/platform-settings';
const AWAITING = 'GET /api/super-admin/distributions/awaiting';
const USERS = 'GET /api/users';
const ADDRESSES = 'GET /api/super-admin/payout-addresses';
type Setting = CallAnswer<typeof SETTINGS>['data'][number];
type User = CallAnswer<typeof USERS>['data'][number];

const ANSWERS: Answers = {
  ...READS_UNDER_WAY,
  [AWAITING]: NONE,
  'GET /api/super-admin/payout-runs': NONE,
  'GET /api/orders': NONE,
  [ADDRESSES]: NONE,
  [USERS]: NONE,
  [SETTINGS]: { success: true, data: [] },
};
const open = ({ answers, ...shown }: Shown = {}) =>
  showScreen('/approvals', { answers: { ...ANSWERS, ...answers }, ...shown });
const box = (name: string) => page.getByRole('region', { name });

const AT = '2026-01-02T10:00:00.000Z';
const change: NonNullable<Setting['waiting']> = {
  id: idOf(3),
  name: 'approval_above_usdt',
  previous: '500',
  value: '9000',
  state: 'waiting',
  requested_by: 'dana@example.com',
  requested_by_id: idOf(77),
  requested_at: AT,
  decided_at: null,
  decided_by: null,
  refusal: null,
};
const setting: Setting = {
  name: 'approval_above_usdt',
  value: '500',
  default: null,
  is_from_environment: false,
  is_locked: false,
  bound: null,
  version: 1,
  changed_at: AT,
  changed_by: 'dana@example.com',
  waiting: change,
};
const person: User = {
  id: idOf(5),
  email: 'nora@example.com',
  name: '<b>Nora</b>',
  admin: true,
  super: true,
  provider_access: [],
  staff_roles: {},
  disabled: false,
  two_factor_enabled: true,
  active: true,
  confirmed: false,
  confirmed_at: null,
  confirmed_by: null,
  invited_by: null,
  created_at: AT,
  last_seen_at: null,
  version: '0123456789abcdef',
};

const address: CallAnswer<typeof ADDRESSES>['data'][number] = {
  change_id: idOf(5),
  owner_kind: 'community',
  owner: 'Blue Harbor',
  referrer: null,
  address: `0x${'ab'.repeat(20)}`,
  previous_address: null,
  changed_at: AT,
  changed_by: 'dana@example.com',
  payable_from: AT,
  awaits_release: true,
  released_by: null,
  owner_word: null,
  chain: null,
  can_release: true,
  refusal: null,
};

test('what takes another person stands in one place, each with its act', async () => {
  const { server } = await open({
    answers: {
      [AWAITING]: {
        success: true,
        data: [distributionOf({ state: 'awaiting_approval', total_amount: '2702.32' })],
        meta: { total: 1 },
      },
      [SETTINGS]: { success: true, data: [setting] },
      [ADDRESSES]: { success: true, data: [address], meta: { total: 1 } },
      [USERS]: { success: true, data: [person], meta: { total: 1 } },
      'POST /api/platform-settings/changes/{id}/approve': {
        success: true,
        data: { ...setting, value: '9000', waiting: null },
      },
    },
  });
  await expect.element(box('Payouts')).toHaveTextContent(/2,702.32 USDT in 5 payouts of Blue Harbor/);
  await expect.element(box('Settings')).toHaveTextContent(/500.* → 9,000.* requested by dana@example.com/);
  await expect
    .element(box('Addresses and referrers to release').getByRole('link', { name: 'All recipients' }))
    .toHaveAttribute('href', '/recipients');
  await expect.element(box('New super admins')).toHaveTextContent('<b>Nora</b>, nora@example.com');
  expect(page.getByText('Nothing waits for approval').elements()).toEqual([]);
  await expectAccessible();
  await box('New super admins').getByRole('button', { name: 'Confirm' }).click();
  await expect.element(page.getByRole('dialog', { name: 'Confirm: <b>Nora</b>' })).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
  await box('Settings').getByRole('button', { name: 'Approve' }).click();
  const question = page.getByRole('dialog', { name: 'Approve change' });
  await expect.element(question).toHaveTextContent('Ask dana@example.com by another channel');
  await question.getByRole('button', { name: 'Approve' }).click();
  await expect
    .poll(() => server.sentTo('POST /api/platform-settings/changes/{id}/approve'))
    .toMatchObject([{ params: { id: idOf(3) } }]);
});

test('nothing waits, and it says what would', async () => {
  await open({ width: 390, height: 844 });
  await expect.element(page.getByText('Nothing waits for approval')).toBeVisible();
  await expect
    .element(page.getByRole('link', { name: 'Decided before' }))
    .toHaveAttribute('href', '/audit?decision=true');
  await expectAccessible();
});

test('what could not be read is not nothing', async () => {
  let isBroken = true;
  await open({
    answers: { [AWAITING]: () => (isBroken ? refuse(503, 'query_timeout', 'This took too long.') : NONE) },
  });
  await expect.element(page.getByText(/Payouts: This took too long/)).toBeVisible();
  expect(page.getByText('Nothing waits for approval').elements()).toEqual([]);
  isBroken = false;
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect.element(page.getByText('Nothing waits for approval')).toBeVisible();
});
