import { expectAccessible } from '../support/accessibility.ts';
import { withoutNews } from '../support/news.ts';
import { answerPool, answerPools, somePool, someProgress } from '../support/pools.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';

test.describe('a key that is refused', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('a pool is connected step by step, from the key to the address that the owner whitelists', async ({
    page,
  }) => {
    const one = somePool(3, 'stopped');
    await withoutNews(page);
    await answerPools(page, [somePool(0, 'stopped')]);
    await answerPool(page, one, { isSuper: true });
    let isSetUp = false;
    await page.route(`**/api/pooled-accounts/${one.id}/harvest/progress`, (route) =>
      route.fulfill({
        json: {
          success: true,
          data: someProgress(isSetUp ? {} : { proxy_address: null }),
        },
      }),
    );
    await page.route(`**/api/pooled-accounts/ip-whitelist/${one.id}`, (route) =>
      route.fulfill({
        json: {
          success: true,
          data: {
            isRestricted: false,
            ips: [],
            permissions: ['Wallet.AccountTransfer'],
            uid: '43210',
            isMaster: true,
            expires_at: '2026-04-20T10:00:00.000Z',
            read_at: '2026-01-20T10:00:00.000Z',
          },
        },
      }),
    );
    const sent: Record<string, unknown>[] = [];
    await page.route('**/api/pooled-accounts', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      sent.push(route.request().postDataJSON());
      return sent.length === 1
        ? route.fulfill({
            status: 422,
            json: {
              success: false,
              error: 'pool_key_refused',
              message: 'This key may withdraw. Create one without the Withdraw permission.',
            },
          })
        : route.fulfill({ status: 201, json: { success: true, data: one } });
    });
    let checked = 0;
    await page.route('**/api/pooled-accounts/check-key', (route) => {
      checked += 1;
      return checked === 1
        ? route.fulfill({
            status: 422,
            json: {
              success: false,
              error: 'exchange_refused',
              message: 'The exchange does not accept these credentials.',
            },
          })
        : route.fulfill({ json: { success: true, data: { uid: '43210', permissions: [] } } });
    });
    await page.goto('/super-admin');
    await page.getByRole('button', { name: 'Connect pool' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByLabel('API key')).toBeFocused();
    await dialog.getByRole('button', { name: 'Next' }).click();
    await expect(dialog).toContainText('For other exchanges, apiKey and secretKey are required.');
    await dialog.getByLabel('API key').fill('key of the pool');
    await dialog.getByLabel('API secret').fill('secret of the pool');
    await expectAccessible(page);
    // The key is tried where it is entered, and its refusal ends with the next key.
    await dialog.getByRole('button', { name: 'Next' }).click();
    await expect(dialog.getByRole('alert')).toContainText('does not accept these credentials');
    await dialog.getByLabel('API secret').fill('other secret of the pool');
    await expect(dialog.getByRole('alert')).toBeHidden();
    await dialog.getByLabel('API secret').fill('secret of the pool');
    await dialog.getByRole('button', { name: 'Next' }).click();
    await dialog.getByLabel('Minimum deposit (USDT)').fill('0');
    await dialog.getByRole('button', { name: 'Connect pool' }).click();
    await expect(dialog).toContainText('Enter an amount above 0');
    expect(sent).toEqual([]);
    await dialog.getByLabel('Minimum deposit (USDT)').fill('250');
    await dialog.getByLabel('Trading is paused and resumed by').selectOption('operator');
    await dialog.getByRole('button', { name: 'Connect pool' }).click();
    // What is typed is still there after a refusal.
    await expect(dialog.getByRole('alert')).toContainText('This key may withdraw');
    await expect(dialog.getByLabel('API key')).toHaveValue('key of the pool');
    await dialog.getByRole('button', { name: 'Next' }).click();
    await dialog.getByRole('button', { name: 'Connect pool' }).click();
    await expect(dialog).toContainText('blocks withdrawals to a new address for 24 hours');
    await expect(dialog).toContainText('The address is being set up');
    await expect(dialog).toContainText('Not restricted to addresses, expires on 2026-04-20');
    isSetUp = true;
    await expect(dialog).toContainText('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed');
    await expectAccessible(page);
    expect(sent[1]).toEqual({
      community_id: expect.any(String),
      apiKey: 'key of the pool',
      secretKey: 'secret of the pool',
      minimum_deposit: '250',
      fee_basis: 'net_carry',
      has_bot: false,
    });
    await dialog.getByRole('button', { name: 'Open pool' }).click();
    await expect(page).toHaveURL(`/pools/${one.id}`);
  });
});

test('the terms of a pool are changed on its page, which shows its results', async ({ page }) => {
  const one = somePool(0, 'stopped');
  await withoutNews(page);
  await answerPools(page, [one]);
  await answerPool(page, one, { isSuper: true });
  let sent: unknown;
  await page.route(`**/api/pooled-accounts/${one.id}`, (route) => {
    if (route.request().method() !== 'PUT') return route.fallback();
    sent = route.request().postDataJSON();
    return route.fulfill({ json: { success: true, data: one } });
  });
  await page.goto(`/pools/${one.id}`);
  const results = page.getByRole('region', { name: /^Results/ });
  await expect(results.getByRole('row').nth(1)).toContainText('Cycle 3');
  await expect(results).toContainText('Unit price 1.1580 before fees');
  await expect(results).toContainText('Deepest drawdown -3.50%');
  await expect(results).toContainText('Circuit breaker at -20%: 16.5 points away');
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Minimum deposit (USDT)').fill('75.5');
  await dialog.getByLabel('Circuit breaker (% of drawdown)').fill('');
  await dialog.getByLabel('State').selectOption('inactive');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Settings saved').first()).toBeVisible();
  expect(sent).toEqual({
    minimum_deposit: '75.5',
    is_active: false,
    max_drawdown_percentage: null,
    version: one.version,
  });
});

test('a member of a pool has a statement on the own page, and a community its pool', async ({
  page,
  api,
}) => {
  const { pooled_accounts: pools } = await api.call('GET /api/pooled-accounts');
  const [one] = pools;
  if (!one) throw new Error('the demo world has no pool');
  const { data: members } = await api.call('GET /api/pooled-accounts/{id}/traders', {
    params: { id: one.id },
    query: { limit: '1' },
  });
  await page.goto(`/trader/${members[0]?.trader.id}`);
  const statement = page.getByRole('region', { name: /^Pool/ });
  await expect(statement).toContainText('Virtual balance');
  await expect(statement.getByTitle(/ USDT$/).last()).toBeVisible();
  await statement.getByRole('link', { name: `Pool of ${one.community.name}` }).click();
  await expect(page).toHaveURL(`/pools/${one.id}`);
  await page.goto(`/community-settings/${one.community.id}`);
  const panel = page.getByRole('region', { name: 'Pooled Account' });
  await expect(panel).toContainText('Virtual balance');
  await panel.getByRole('link', { name: 'Open pool' }).click();
  await expect(page).toHaveURL(`/pools/${one.id}`);
});

test('the key of a pool is replaced', async ({ page }) => {
  const one = somePool(0, 'stopped');
  await withoutNews(page);
  await answerPools(page, [one]);
  await answerPool(page, one, { isSuper: true });
  const sent: unknown[] = [];
  await page.route(`**/api/pooled-accounts/${one.id}/key`, (route) => {
    sent.push(route.request().postDataJSON());
    return route.fulfill({ json: { success: true, data: one } });
  });
  await page.goto(`/pools/${one.id}`);
  await page.getByRole('button', { name: 'Replace key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Replace key' }).click();
  await expect(dialog).toContainText('For other exchanges, apiKey and secretKey are required.');
  await dialog.getByLabel('API key').fill('new-key');
  await dialog.getByLabel('API secret').fill('new-secret');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Replace key' }).click();
  await expect(page.getByText('Key replaced').first()).toBeVisible();
  expect(sent).toEqual([{ apiKey: 'new-key', secretKey: 'new-secret' }]);
});
