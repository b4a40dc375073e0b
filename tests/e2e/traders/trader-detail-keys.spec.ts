import { formatUsd } from '@copydesk/domain/money';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { stopTime } from '../support/clock.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';
import { LIVE_BALANCES, pickWithAccounts, soon, traderDetail } from '../support/trader-detail.ts';

test('every account has a card with its balance and where it came from', async ({ page, api }) => {
  const trader = await pickWithAccounts(api, ['bybit', 'kucoin']);
  const { keys, card } = traderDetail(page);
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
  await page.goto(`/trader/${trader.id}`);
  await expect(keys.getByRole('heading', { name: `Exchange Keys ${trader.exchanges.length}` })).toBeVisible();
  for (const account of trader.exchanges) {
    const shown = card(account);
    await expect(shown.getByText(account.provider_name)).toBeVisible();
    await expect(shown.getByText(account.acc_uid)).toBeVisible();
    await expect(async () => {
      const balance = told[account.acc_uid]?.balance;
      await expect(shown.getByText(formatUsd(balance ?? 'none'))).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await expect(shown.getByText(/^as of /)).toBeVisible();
  }
});

const REFUSALS = {
  reveal_reason_required: 'Repeat this request with a reason',
  second_factor_required: 'This needs a second factor',
};

/** Refuses to reveal as the server does, unless a reason comes with the request: then the server answers. */
function refuseReveals(page: Page, error: keyof typeof REFUSALS, left?: number) {
  return page.route('**/exchange/reveal', async (route) => {
    const { reason } = route.request().postDataJSON();
    if (reason === undefined)
      return route.fulfill({ status: 403, json: { success: false, error, message: REFUSALS[error] } });
    const response = await route.fetch();
    const json = await response.json();
    return route.fulfill({ response, json: { ...json, data: { ...json.data, reveals_left: left } } });
  });
}

test.describe('a server that refuses', () => {
  // The browser reports every answer of 403.
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('the eleventh account of an hour is shown after a reason, which only a click is asked for', async ({
    page,
    api,
  }) => {
    const trader = await pickWithAccounts(api, ['bybit'], 1);
    const [account] = trader.exchanges;
    if (!account) throw new Error('no account');
    await refuseReveals(page, 'reveal_reason_required', 2);
    await page.goto(`/trader/${trader.id}`);
    const { card, keys, dialog } = traderDetail(page);
    const shown = card(account);
    await shown.getByRole('button', { name: 'Copy API Key' }).focus();
    await page.keyboard.press('Tab');
    const row = shown.getByRole('button', { name: 'Give a reason: click to reveal' });
    await expect(row).toBeVisible();
    await expect(dialog).toHaveCount(0);

    await row.click();
    await expect(dialog).toContainText('You have revealed ten accounts within an hour.');
    await dialog.getByRole('button', { name: 'Reveal' }).click();
    await expect(dialog).toContainText('Enter a reason');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Back' }).click();
    await expect(dialog).toHaveCount(0);

    await row.click();
    await expect(dialog.getByRole('textbox', { name: 'Reason' })).toBeFocused();
    const sent = page.waitForRequest(
      (request) => request.url().endsWith('/reveal') && request.postDataJSON().reason !== undefined,
    );
    await page.keyboard.type('The trader asked for it');
    await page.keyboard.press('Enter');
    expect((await sent).postDataJSON()).toMatchObject({ reason: 'The trader asked for it' });
    await expect(dialog).toHaveCount(0);
    await expect(keys.getByRole('status')).toHaveText(
      'You can reveal 2 more accounts within the hour without a reason.',
    );
    await expect(shown.getByText(/^API Secret revealed by you|^Secret Key revealed by you/)).toBeVisible();
  });

  test('without a second factor the console says where to add one', async ({ page, api }) => {
    const trader = await pickWithAccounts(api, ['bybit'], 1);
    const [account] = trader.exchanges;
    if (!account) throw new Error('no account');
    await refuseReveals(page, 'second_factor_required');
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
});

test.describe('with a clipboard', () => {
  test.beforeEach(({ context }) => context.grantPermissions(['clipboard-read', 'clipboard-write']));
  const clipboard = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

  test('Copy copies the stored secret and says so for two seconds', async ({ page, api }) => {
    const trader = await pickWithAccounts(api, ['hyperliquid'], 1);
    const [account] = trader.exchanges;
    if (!account) throw new Error('no account');
    await page.clock.install();
    await page.goto(`/trader/${trader.id}`);
    const { card } = traderDetail(page);
    await expect(card(account).getByRole('button', { name: 'Copy Agent Private Key' })).toBeVisible();
    await expect(card(account).getByText('IP Whitelist')).toHaveCount(0);
    await stopTime(page);
    await card(account).getByRole('button', { name: 'Copy Agent Private Key' }).click();
    await expect(card(account).getByText('Copied', { exact: true })).toBeVisible();
    expect(await clipboard(page)).toMatch(/^0x[0-9a-f]{64}$/);
    await page.clock.runFor(1_900);
    await expect(card(account).getByText('Copied', { exact: true })).toBeVisible();
    await page.clock.runFor(200);
    await expect(card(account).getByText('Copied', { exact: true })).toHaveCount(0);
    await card(account).getByRole('button', { name: 'Copy Master Address' }).click();
    await expect.poll(() => clipboard(page)).toBe(account.master_address);
    await card(account).getByRole('button', { name: 'Copy Agent Address' }).click();
    await expect.poll(() => clipboard(page)).toBe(account.agent_address);
  });
});
