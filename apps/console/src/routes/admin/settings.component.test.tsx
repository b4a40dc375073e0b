import type { CallAnswer } from '@copydesk/contract';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import { type Answers, refuse } from '../../testing/serve-calls.ts';
import { toastOf } from '../../testing/show-community.ts';
import { idOf, READS_UNDER_WAY, showScreen } from '../../testing/show-screen.tsx';

const LIST = 'GET /api/platform-settings';
const CHANGE = 'PUT /api/platform-settings';
const RECIPIENTS = 'GET /api/platform-settings/recipients';
const SAVE_RECIPIENT = 'PUT /api/platform-settings/recipients/{type}';
const BOT = 'GET /api/platform-bot';
const STEPS = 'GET /api/setup-checklist';
type Setting = CallAnswer<typeof LIST>['data'][number];
type Recipient = CallAnswer<typeof RECIPIENTS>['data'][number];

const AT = '2026-01-02T10:00:00.000Z';
const settingOf = (name: Setting['name'], value: unknown, changes: Partial<Setting> = {}): Setting => ({
  name,
  value,
  default: value,
  is_from_environment: false,
  is_locked: false,
  bound: null,
  version: 0,
  changed_at: null,
  changed_by: null,
  waiting: null,
  ...changes,
});
const listed = (...data: Setting[]): Answers => ({ [LIST]: { success: true, data } });
const changed = { version: 1, changed_at: AT, changed_by: 'super@example.com' };
const WAITING: NonNullable<Setting['waiting']> = {
  id: idOf(1),
  name: 'payout_max_per_transaction',
  previous: 900_000,
  value: null,
  state: 'waiting',
  requested_at: AT,
  requested_by: 'super@example.com',
  decided_at: null,
  decided_by: null,
  requested_by_id: 'super-1',
  refusal: 'own_change',
};

/** All that an act reads again before its dialog closes. */
const SETTINGS: Answers = {
  ...listed(),
  [RECIPIENTS]: { success: true, data: [] },
  [BOT]: { success: true, data: { in_use: null, reading: null } },
  'GET /api/platform-settings/changes': { success: true, data: [], meta: { total: 0 } },
};
const open = (answers: Answers) =>
  showScreen('/settings', { height: 1400, answers: { ...READS_UNDER_WAY, ...SETTINGS, ...answers } });
const dialog = page.getByRole('dialog');
const button = (name: string) => dialog.getByRole('button', { name });
const rowOf = (label: RegExp) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: label }) });
const change = (what: string) => page.getByRole('button', { name: `Change ${what}` });

test('a limit is a whole number; tightened it applies, and the present value is not sent', async () => {
  const { server } = await open({
    ...listed(settingOf('payout_max_per_transaction', null)),
    [CHANGE]: () => {
      const setting = settingOf('payout_max_per_transaction', 900_000, changed);
      server.answer(listed(setting));
      return { success: true, data: setting };
    },
  });
  const row = rowOf(/^Largest payout/);
  await expect.element(row).toHaveTextContent('No limit');
  await expect.element(row).toHaveTextContent('Default');
  await expect
    .element(row.getByRole('link', { name: 'Who changed this? Largest payout' }))
    .toHaveAttribute('href', '/audit?targetKind=setting&target=payout_max_per_transaction');
  await expectAccessible();
  await page.viewport(1440, 1400);
  await change('Largest payout').click();
  const field = dialog.getByLabelText('Largest payout');
  await field.fill('1.5');
  await button('Save').click();
  await expect.element(dialog).toHaveTextContent('Enter a whole number from 1');
  expect(server.sentTo(CHANGE)).toEqual([]);
  await field.fill('900000');
  await userEvent.keyboard('{Enter}');
  await expect.element(row).toHaveTextContent('900,000 USDT');
  await expect.element(row).toHaveTextContent('by super@example.com');
  await expect.element(dialog).not.toBeInTheDocument();
  await change('Largest payout').click();
  await button('Save').click();
  await expect.element(toastOf('No changes to save')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.sentTo(CHANGE).map(({ body }) => body)).toEqual([
    { set: { payout_max_per_transaction: 900_000 }, version: 0 },
  ]);
});

test('a loosened limit waits for another super admin, and its author can only withdraw it', async () => {
  const { server } = await open({
    ...listed(settingOf('payout_max_per_transaction', 900_000, changed)),
    [CHANGE]: () => {
      const setting = settingOf('payout_max_per_transaction', 900_000, { ...changed, waiting: WAITING });
      server.answer(listed(setting));
      return { success: true, data: setting };
    },
  });
  const row = rowOf(/^Largest payout/);
  await change('Largest payout').click();
  await dialog.getByLabelText('Largest payout').fill('');
  await expect.element(dialog).toHaveTextContent('once another super admin has approved it');
  await expectAccessible();
  await button('Request change').click();
  await expect.element(row).toHaveTextContent('Waits for approval');
  await expect.element(row).toHaveTextContent('No limit requested by super@example.com');
  expect(row.getByRole('button', { name: 'Approve' }).elements()).toEqual([]);
  await expect.element(row.getByRole('button', { name: 'Withdraw' })).toBeVisible();
  await expectAccessible();
});

const TIPS: Recipient = {
  recipient_type: 'tip',
  address: null,
  pending: '0',
  changed_at: null,
  payable_from: null,
  change_id: null,
  awaits_release: false,
  can_release: false,
  version: '0123456789abcdef',
};

test('a recipient of the platform gets an address, which is held', async () => {
  const address = '0x00000000000000000000000000000000000000a7';
  const { server } = await open({
    [RECIPIENTS]: { success: true, data: [TIPS] },
    [SAVE_RECIPIENT]: ({ body }) => {
      if (body.address === '0x12') return refuse(400, 'validation_failed', 'address: not an EVM address');
      const data: Recipient = {
        ...TIPS,
        address,
        payable_from: '2099-01-02T10:00:00.000Z',
        change_id: idOf(2),
        awaits_release: true,
      };
      server.answer({ [RECIPIENTS]: { success: true, data: [data] } });
      return { success: true, data: [data] };
    },
  });
  await page.getByRole('button', { name: 'Change the address of Tips' }).click();
  const field = dialog.getByLabelText('Address on BNB Smart Chain');
  await field.fill('0x12');
  await button('Save').click();
  await expect.element(dialog).toHaveTextContent('not an EVM address');
  await field.fill(address);
  await button('Save').click();
  const tips = rowOf(/^Tips/);
  await expect.element(tips).toHaveTextContent('Held');
  await expect.element(tips).toHaveTextContent('Waits for another super admin');
  expect(server.sentTo(SAVE_RECIPIENT).map(({ params, body }) => [params.type, body])).toEqual([
    ['tip', { address: '0x12', version: TIPS.version }],
    ['tip', { address, version: TIPS.version }],
  ]);
});

test("the platform's bot is the one that the workers use", async () => {
  await open({
    [BOT]: {
      success: true,
      data: {
        in_use: {
          telegram_id: '2000001',
          username: 'copydesk_demo_bot',
          name: 'Copydesk',
          problem: null,
          checked_at: AT,
        },
        reading: { read_at: AT, problem: null },
      },
    },
  });
  const panel = page.getByRole('region', { name: 'Telegram' });
  await expect.element(panel).toHaveTextContent('@copydesk_demo_bot');
  await expect.element(panel).toHaveTextContent('Owners confirm their payout addresses by this bot');
  await expectAccessible();
});

test('levels of traders are edited as rows', async () => {
  const five = [1, 2, 3, 4, 5].map((n) => ({ name: `Level ${n}`, min_aum: String(n * 1_000) }));
  const { server } = await open({
    ...listed(settingOf('vip_tiers', five)),
    [CHANGE]: ({ body }) => {
      const setting = settingOf('vip_tiers', body.set.vip_tiers, changed);
      server.answer(listed(setting));
      return { success: true, data: setting };
    },
  });
  await change('VIP levels').click();
  await page.viewport(390, 844);
  const remove = dialog.getByRole('button', { name: 'Remove level 1' });
  await expect.element(remove).toBeVisible();
  expect(remove.element().getBoundingClientRect().right).toBeLessThan(
    dialog.element().getBoundingClientRect().right,
  );
  await page.viewport(1440, 1400);
  await button('Add level').click();
  await dialog.getByLabelText('Name of level 6').fill('Black');
  const aum = dialog.getByLabelText('AUM of level 6, USD');
  await aum.fill('10');
  await button('Save').click();
  await expect.element(dialog).toHaveTextContent('Each level needs a higher AUM than the one before');
  await aum.fill('5000000');
  await expectAccessible();
  await button('Save').click();
  const levels = page.getByRole('list', { name: 'Settings: Traders' });
  await expect.element(levels).toHaveTextContent('Black from $5,000,000');
  await change('VIP levels').click();
  await button('Remove level 6').click();
  await button('Save').click();
  await expect.element(levels).not.toHaveTextContent('Black');
  expect(server.sentTo(CHANGE).map(({ body }) => body)).toMatchObject([
    { set: { vip_tiers: [...five, { name: 'Black', min_aum: '5000000' }] }, version: 0 },
    { set: { vip_tiers: five }, version: 1 },
  ]);
});

test('the set-up says what is still needed, and what is done on demand', async () => {
  await open({
    [STEPS]: {
      success: true,
      data: [
        { step: 'worker', state: 'done', text: 'A worker runs.' },
        { step: 'mail', state: 'missing', text: 'Set a mail server.' },
        { step: 'chain', state: 'wrong', text: 'The chain does not answer.' },
      ],
    },
  });
  const panel = page.getByRole('region', { name: 'Set-up' });
  const steps = panel.getByRole('list', { name: 'Steps of the set-up' }).getByRole('listitem');
  await expect.element(panel).toHaveTextContent('1 of 3 steps are done');
  await expect.element(steps.nth(0)).toHaveTextContent('E-mailTo doSet a mail server.');
  await expect.element(steps.nth(1)).toHaveTextContent('ChainNot workingThe chain does not answer.');
  expect(steps.elements()).toHaveLength(2);
  await panel.getByRole('button', { name: 'Show all' }).click();
  await expect.element(steps.nth(0)).toHaveTextContent('WorkerDoneA worker runs.');
  expect(steps.elements()).toHaveLength(3);
});

test('the setting that the address names is shown and has the focus', async () => {
  await showScreen('/settings#setting-payout_max_per_transaction', {
    answers: {
      ...READS_UNDER_WAY,
      ...listed(settingOf('approval_above_usdt', '500'), settingOf('payout_max_per_transaction', null)),
    },
  });
  const row = rowOf(/^Largest payout/);
  await expect.element(row).toHaveFocus();
  await expect.element(row).toBeInViewport();
});
