import type { CallAnswer } from '@copydesk/contract';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import type { Answers } from '../../testing/serve-calls.ts';
import { COMMUNITY, showCommunity, toastOf } from '../../testing/show-community.ts';
import { idOf, READS_UNDER_WAY, showScreen } from '../../testing/show-screen.tsx';

const GET = 'GET /api/providers/{id}';
const CREATE = 'POST /api/providers';
const LINKS = 'GET /api/communities/{id}/providers';
const LINK = 'POST /api/communities/{id}/providers';
const CAN_REMOVE = 'GET /api/communities/{id}/providers/{providerId}/can-remove';
type Provider = CallAnswer<typeof CREATE>['data'];
type Link = CallAnswer<typeof LINKS>['data'][number];

const AT = '2026-01-02T10:00:00.000Z';
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const LISTED = {
  id: idOf(31),
  name: 'aurora',
  display_name: 'Aurora Signals',
  payment_split_percentage: 0.35,
  supported_exchanges: [],
  is_active: true,
  invoicing_enabled: true,
};
const ZENITH: Provider = {
  ...LISTED,
  id: idOf(32),
  name: 'zenith',
  display_name: 'Zenith',
  supported_exchanges: ['okx'],
  payout_address: ADDRESS,
  minimum_commission_rate: 0,
  telegram_admin_channel_id: null,
  reveal_super_only: false,
  created_at: AT,
  updated_at: AT,
  version: '0123456789abcdef',
};
const DIRECTORY: Answers = { 'GET /api/providers': { success: true, data: [LISTED, ZENITH] } };
const dialog = page.getByRole('dialog');

test('a provider is created, and its page has its settings and accounts', async () => {
  const { server, address } = await showScreen('/providers', {
    answers: {
      ...READS_UNDER_WAY,
      ...DIRECTORY,
      [CREATE]: { success: true, data: ZENITH },
      [GET]: { success: true, data: ZENITH },
      'GET /api/providers/{id}/exchanges': {
        success: true,
        data: [
          { exchange: 'okx', is_supported: true, accounts: 0, failing: 0, unread: 0 },
          { exchange: 'kucoin', is_supported: false, accounts: 0, failing: 0, unread: 0 },
        ],
      },
      'GET /api/providers/{id}/communities': { success: true, data: [] },
      'GET /api/providers/{id}/people': { success: true, data: [] },
    },
  });
  await expect.element(page.getByRole('link', { name: 'Aurora Signals' })).toBeVisible();
  await expectAccessible();
  await page.getByRole('button', { name: 'New provider' }).click();
  const create = dialog.getByRole('button', { name: 'Create provider' });
  await create.click();
  await expect.element(dialog).toHaveTextContent('Provider name is required');
  await expect.element(dialog).toHaveTextContent('Display name is required');
  await expect.element(dialog.getByLabelText('Name', { exact: true })).toHaveFocus();
  await expect.element(dialog.getByLabelText('Payment split')).toHaveValue('0.35');
  await expectAccessible();
  await dialog.getByLabelText('Name', { exact: true }).fill('zenith');
  await dialog.getByLabelText('Display name').fill('Zenith');
  await dialog.getByLabelText('OKX').click();
  await dialog.getByLabelText('Payout address').fill(ADDRESS);
  await create.click();
  await expect.element(toastOf('Provider created successfully')).toBeVisible();
  await expect.poll(address).toBe(`/providers/${ZENITH.id}`);
  await expect.element(page.getByRole('heading', { level: 1, name: 'Zenith' })).toBeVisible();
  await expect.element(page.getByRole('region', { name: 'Settings', exact: true })).toHaveTextContent('35%');
  await expect.element(page.getByRole('region', { name: 'Exchange Accounts' })).toHaveTextContent('OKX');
  await expectAccessible();
  expect(server.sentTo(CREATE)).toMatchObject([
    {
      body: { name: 'zenith', display_name: 'Zenith', supported_exchanges: ['okx'], payout_address: ADDRESS },
      key: expect.stringMatching(/^[0-9a-f-]{36}$/),
    },
  ]);
});

const AURORA_LINK: Link = {
  provider_id: LISTED.id,
  display_name: LISTED.display_name,
  custom_display_name: null,
  is_active: true,
  is_provider_active: true,
  payment_split_percentage: 0.35,
  supported_exchanges: [],
  trader_count: 7,
  account_count: 9,
  linked_at: AT,
  version: '0123456789abcdef',
};

test('a provider is linked to a community, and one in use is not removed', async () => {
  const zenith: Link = {
    ...AURORA_LINK,
    provider_id: ZENITH.id,
    display_name: 'Zenith',
    custom_display_name: 'House desk',
  };
  const { server } = await showCommunity(
    {
      answers: {
        ...DIRECTORY,
        [LINKS]: { success: true, data: [AURORA_LINK] },
        [LINK]: () => {
          server.answer({ [LINKS]: { success: true, data: [AURORA_LINK, zenith] } });
          return { success: true, data: zenith };
        },
        [CAN_REMOVE]: {
          success: true,
          data: {
            can_remove: false,
            reasons: [{ code: 'traders', count: 7, message: '7 traders have selected it' }],
          },
        },
      },
    },
    '?tab=settings',
  );
  const panel = page.getByRole('region', { name: /^Providers/ });
  await panel.getByRole('button', { name: 'Link provider' }).click();
  await dialog.getByLabelText('Provider', { exact: true }).selectOptions('Zenith');
  await dialog.getByLabelText('Name in this community').fill('House desk');
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Link provider' }).click();
  await expect.element(toastOf('Provider linked')).toBeVisible();
  await expect
    .element(panel.getByRole('row').filter({ has: page.getByRole('link', { name: 'Zenith', exact: true }) }))
    .toHaveTextContent('as House desk');
  expect(server.sentTo(LINK)).toMatchObject([
    {
      params: { id: COMMUNITY.id },
      body: { provider_id: ZENITH.id, custom_display_name: 'House desk' },
    },
  ]);

  await page.getByRole('button', { name: 'Actions for Aurora Signals', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await expect.element(dialog).toHaveTextContent('7 traders have selected it');
  expect(dialog.getByRole('button', { name: 'Remove' }).elements()).toEqual([]);
  await expectAccessible();
});
