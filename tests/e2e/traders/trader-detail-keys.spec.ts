import { formatUsd } from '@copydesk/domain/money';
import { expectAccessible } from '../support/accessibility.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';
import { LIVE_BALANCES, pickWithAccounts, readingOf, soon, traderDetail } from '../support/trader-detail.ts';

// The browser reports an answer of 403.
test.use({ expectedComplaint: FAILED_REQUEST });

test('the exchanges are read for each account: its balance, its positions, and when', async ({
  page,
  api,
}) => {
  const trader = await pickWithAccounts(api, ['bybit', 'kucoin']);
  const { keys, card, positions } = traderDetail(page);
  // Balances move, and are asked for again: what counts is the latest answer.
  let told: Record<string, { balance: string; read_at: string | null }> = {};
  await page.route(LIVE_BALANCES, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    told = body.data;
    // Later than what is stored meanwhile, which would be shown instead.
    for (const one of Object.values(told)) if (one.read_at) one.read_at = soon();
    await route.fulfill({ response, json: body });
  });
  const answers = Promise.all(
    trader.exchanges.map(({ acc_uid }) =>
      page.waitForResponse((response) => response.url().endsWith(`/positions?acc_uid=${acc_uid}`)),
    ),
  );
  await page.goto(`/trader/${trader.id}`);
  const read = await Promise.all((await answers).map((response) => response.json()));
  const count = read.reduce((sum, { data }) => sum + data.length, 0);
  await expect(positions.getByRole('heading', { name: `Active Positions ${count}` })).toBeVisible();
  await expect(await readingOf(page, 'Open positions')).toHaveCount(count > 0 ? 1 : 0);
  await expect(keys.getByRole('heading', { name: `Exchange Keys ${trader.exchanges.length}` })).toBeVisible();
  for (const account of trader.exchanges) {
    const shown = card(account);
    await expect(shown.getByText(account.provider_name)).toBeVisible();
    await expect(shown.getByText(account.acc_uid)).toBeVisible();
    await expect(async () => {
      const balance = told[account.acc_uid]?.balance;
      await expect(shown.getByText(formatUsd(balance ?? 'none'))).toBeVisible({ timeout: 1_000 });
    }).toPass();
  }
  await expect(await readingOf(page, 'Balances')).toBeVisible();
});

test('Copy copies the stored secret', async ({ page, api, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()');
  const trader = await pickWithAccounts(api, ['hyperliquid'], 1);
  const [account] = trader.exchanges;
  if (!account) throw new Error('no account');
  await page.goto(`/trader/${trader.id}`);
  const shown = traderDetail(page).card(account);
  await shown.getByRole('button', { name: 'Copy Agent Private Key' }).click();
  await expect(shown.getByText('Copied', { exact: true })).toBeVisible();
  expect(await clipboard()).toMatch(/^0x[0-9a-f]{64}$/);
  await expect(shown.getByText('IP Whitelist')).toHaveCount(0);
  await shown.getByRole('button', { name: 'Copy Master Address' }).click();
  await expect.poll(clipboard).toBe(account.master_address);
  await shown.getByRole('button', { name: 'Copy Agent Address' }).click();
  await expect.poll(clipboard).toBe(account.agent_address);
});

test('without a second factor the console says where to add one', async ({ page, api }) => {
  const trader = await pickWithAccounts(api, ['bybit'], 1);
  const [account] = trader.exchanges;
  if (!account) throw new Error('no account');
  await page.route('**/exchange/reveal', (route) =>
    route.fulfill({
      status: 403,
      json: { success: false, error: 'second_factor_required', message: 'This needs a second factor' },
    }),
  );
  await page.goto(`/trader/${trader.id}`);
  const { card } = traderDetail(page);
  await card(account).getByRole('button', { name: 'Copy API Key' }).focus();
  await page.keyboard.press('Tab');
  const dialog = page.getByRole('dialog', { name: 'Add a second factor' });
  const row = card(account).getByRole('button', { name: 'Add a second factor: click' });
  await expect(row).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await row.click();
  await expect(dialog).toContainText('Add a passkey or an authenticator app to your account');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Not now' }).click();
  await expect(dialog).toHaveCount(0);
  await row.click();
  await dialog.getByRole('button', { name: 'Open your profile' }).click();
  await expect(page).toHaveURL(/\/profile$/);
  await expect(dialog).toHaveCount(0);
});
