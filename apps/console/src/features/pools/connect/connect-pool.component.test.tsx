import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/expect-accessible.ts';
import { refuse } from '../../../testing/serve-calls.ts';
import { POOL, showDashboard, showPool } from '../../../testing/show-pool.ts';
import { somePool, someProgress } from '../../../testing/some-pools.ts';

const CONNECT = 'POST /api/pooled-accounts';
const CHECK = 'POST /api/pooled-accounts/check-key';
const KEY = 'PUT /api/pooled-accounts/{id}/key';
const MISSING = 'For other exchanges, apiKey and secretKey are required.';
const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

const dialog = page.getByRole('dialog');
const button = (name: string) => dialog.getByRole('button', { name });
const field = (name: string) => dialog.getByLabelText(name);
const alert = dialog.getByRole('alert');

test('a pool is connected step by step, from the key to the address that the owner whitelists', async () => {
  const one = somePool(3, 'stopped');
  let isSetUp = false;
  const { address, server } = await showDashboard([somePool(0, 'stopped')], {
    [POOL]: { success: true, data: one },
    [`${POOL}/harvest/progress`]: () => ({
      success: true,
      data: someProgress(isSetUp ? {} : { proxy_address: null }),
    }),
    'GET /api/pooled-accounts/ip-whitelist/{id}': {
      success: true,
      data: {
        ...{ isRestricted: false, ips: [], permissions: ['Wallet.AccountTransfer'], uid: '43210' },
        ...{ isMaster: true, expires_at: '2026-04-20T10:00:00.000Z', read_at: '2026-01-20T10:00:00.000Z' },
      },
    },
    [CHECK]: refuse(422, 'exchange_refused', 'The exchange does not accept these credentials.'),
    [CONNECT]: refuse(
      422,
      'pool_key_refused',
      'This key may withdraw. Create one without the Withdraw permission.',
    ),
  });
  await page.getByRole('button', { name: 'Connect pool' }).click();
  await expect.element(field('API key')).toHaveFocus();
  await button('Next').click();
  await expect.element(dialog).toHaveTextContent(MISSING);
  await field('API key').fill('key of the pool');
  await field('API secret').fill('secret of the pool');
  await expectAccessible();
  // The key is tried where it is entered, and its refusal ends with the next key.
  await button('Next').click();
  await expect.element(alert).toHaveTextContent('does not accept these credentials');
  await field('API secret').fill('other secret of the pool');
  await expect.element(alert).toBeEmptyDOMElement();
  server.answer({ [CHECK]: { success: true, data: { uid: '43210', permissions: [] } } });
  await field('API secret').fill('secret of the pool');
  await button('Next').click();
  await field('Minimum deposit (USDT)').fill('0');
  await button('Connect pool').click();
  await expect.element(dialog).toHaveTextContent('Enter an amount above 0');
  expect(server.sentTo(CONNECT)).toEqual([]);
  await field('Minimum deposit (USDT)').fill('250');
  await field('Trading is paused and resumed by').selectOptions('operator');
  await button('Connect pool').click();
  // What is typed is still there after a refusal.
  await expect.element(alert).toHaveTextContent('This key may withdraw');
  await expect.element(field('API key')).toHaveValue('key of the pool');
  server.answer({ [CONNECT]: { success: true, data: { ...one, state: 'done', order_id: null } } });
  await button('Next').click();
  await button('Connect pool').click();
  for (const text of [
    'blocks withdrawals to a new address for 24 hours',
    'The address is being set up',
    'Not restricted to addresses, expires on 2026-04-20',
  ])
    await expect.element(dialog).toHaveTextContent(text);
  isSetUp = true;
  await expect.element(dialog, { timeout: 15_000 }).toHaveTextContent(ADDRESS);
  await expectAccessible();
  expect(server.sentTo(CONNECT).at(-1)?.body).toEqual({
    community_id: expect.any(String),
    apiKey: 'key of the pool',
    secretKey: 'secret of the pool',
    minimum_deposit: '250',
    fee_basis: 'net_carry',
    has_bot: false,
  });
  await button('Open pool').click();
  await expect.poll(address).toBe(`/pools/${one.id}`);
});

test('the key of a pool is replaced', async () => {
  const one = somePool(0, 'stopped');
  const { server } = await showPool(one, { [KEY]: { success: true, data: one } });
  await page.getByRole('button', { name: 'Replace key' }).click();
  await button('Replace key').click();
  await expect.element(dialog).toHaveTextContent(MISSING);
  expect(server.sentTo(KEY)).toEqual([]);
  await field('API key').fill('new-key');
  await field('API secret').fill('new-secret');
  await expectAccessible();
  await button('Replace key').click();
  await expect.element(page.getByText('Key replaced').first()).toBeVisible();
  expect(server.sentTo(KEY).map(({ body }) => body)).toEqual([
    { apiKey: 'new-key', secretKey: 'new-secret' },
  ]);
});
