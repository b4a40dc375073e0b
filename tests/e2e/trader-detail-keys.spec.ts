import { formatUsd } from '@copydesk/domain/money';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { stopTime } from './support/clock.ts';
import { expect, FAILED_REQUEST, test } from './support/test.ts';
import {
  answer,
  LIVE_BALANCES,
  pickWithAccounts,
  soon,
  TIMED_OUT,
  traderDetail,
  WHITELISTS,
} from './support/trader-detail.ts';

const SECRET = 'plain-secret-of-the-test';

/** Answers every request for a plain secret, and counts them. */
async function serveSecrets(page: Page): Promise<string[]> {
  const asked: string[] = [];
  await page.route('**/exchange/reveal', (route) => {
    const { field } = route.request().postDataJSON();
    asked.push(field);
    return route.fulfill(answer({ data: { field, value: SECRET, reveals_left: 9 } }));
  });
  return asked;
}

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

test('a secret is dots until it is revealed, and again on leaving', async ({ page, api }) => {
  const trader = await pickWithAccounts(api, ['kucoin'], 1);
  const [account] = trader.exchanges;
  if (!account) throw new Error('no account');
  const asked = await serveSecrets(page);
  await page.clock.install();
  await page.goto(`/trader/${trader.id}`);
  const { card } = traderDetail(page);
  const field = card(account).getByRole('button', { name: 'Reveal Secret Key' });
  await expect(field).toHaveText(/^•{1,32}$/);
  for (const name of ['API Key', 'Secret Key', 'Passphrase']) {
    await expect(card(account).getByText(name, { exact: true })).toBeVisible();
  }

  await stopTime(page);

  // Passing over it asks for nothing.
  await field.hover();
  await page.clock.runFor(250);
  await page.mouse.move(2, 2);
  await page.clock.runFor(1_000);
  expect(asked).toEqual([]);

  await field.hover();
  await page.clock.runFor(300);
  await expect(card(account).getByText(SECRET)).toBeVisible();
  await page.mouse.move(2, 2);
  await expect(card(account).getByText(SECRET)).toHaveCount(0);

  // Looked at again soon after, it is not asked for again; later it is.
  await field.hover();
  await page.clock.runFor(300);
  await expect(card(account).getByText(SECRET)).toBeVisible();
  expect(asked).toEqual(['secret_key']);
  await page.clock.runFor(30_000);
  await expect(card(account).getByText(SECRET)).toHaveCount(0);
  await page.mouse.move(2, 2);
  await field.hover();
  await page.clock.runFor(300);
  await expect(card(account).getByText(SECRET)).toBeVisible();
  expect(asked).toEqual(['secret_key', 'secret_key']);

  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  expect(kept).not.toContain(SECRET);
});

test('the keyboard reveals as the pointer does', async ({ page, api }) => {
  const trader = await pickWithAccounts(api, ['bybit'], 1);
  const [account] = trader.exchanges;
  if (!account) throw new Error('no account');
  await serveSecrets(page);
  await page.goto(`/trader/${trader.id}`);
  const { card } = traderDetail(page);
  await card(account).getByRole('button', { name: 'Copy API Key' }).focus();
  await page.keyboard.press('Tab');
  await expect(card(account).getByText(SECRET)).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(card(account).getByText(SECRET)).toHaveCount(0);
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

  test('allowed addresses are listed, each with a copy', async ({ page, api }) => {
    const trader = await pickWithAccounts(api, ['bybit'], 1);
    const { card } = traderDetail(page);
    const [account] = trader.exchanges;
    if (!account) throw new Error('no account');
    const ips = Array.from({ length: 12 }, (_, index) => `203.0.113.${index}`);
    await serveWhitelist(page, account, { ips });
    await page.goto(`/trader/${trader.id}`);
    await expect(card(account).getByText('12 Allowed IP(s)')).toBeVisible();
    const list = card(account).getByRole('list', { name: /^Allowed IPs of/ });
    expect(await list.evaluate((element) => element.clientHeight)).toBeLessThanOrEqual(8 * 16);
    await list.getByRole('button', { name: 'Copy 203.0.113.3' }).click();
    await expect.poll(() => clipboard(page)).toBe('203.0.113.3');
  });
});

const serveWhitelist = (
  page: Page,
  account: { exchange: string; acc_uid: string },
  parts: Record<string, unknown>,
) =>
  page.route(WHITELISTS, (route) =>
    route.fulfill(
      answer({
        data: [
          {
            exchange: account.exchange,
            accUid: account.acc_uid,
            isSupported: true,
            isRestricted: true,
            ips: [],
            accountType: 'subaccount',
            read_at: new Date().toISOString(),
            error: null,
            ...parts,
          },
        ],
      }),
    ),
  );

test('an IP whitelist says whether it is open, closed, unknown or could not be loaded', async ({
  page,
  api,
}) => {
  const trader = await pickWithAccounts(api, ['binance'], 1);
  const [account] = trader.exchanges;
  if (!account) throw new Error('no account');
  const { card, keys } = traderDetail(page);
  for (const [parts, text] of [
    [{ isRestricted: false }, 'Unrestricted (All IPs)'],
    [{ ips: null }, 'IP whitelist not available for this exchange'],
    [{ ips: ['*'] }, 'Unrestricted (All IPs)'],
    [{ isSupported: false, isRestricted: null, ips: null }, 'IP whitelist not available for this exchange'],
    [{ error: TIMED_OUT }, 'Failed to load IP whitelist'],
  ] as const) {
    await page.unroute(WHITELISTS);
    await serveWhitelist(page, account, parts);
    if (page.url().includes(trader.id))
      await keys.getByRole('button', { name: 'Refresh IP whitelist' }).click();
    else await page.goto(`/trader/${trader.id}`);
    await expect(card(account).getByText(text), JSON.stringify(parts)).toBeVisible();
    await expect(card(account).getByText('Subaccount', { exact: true })).toBeVisible();
    const hasRetry = text.startsWith('Failed');
    await expect(card(account).getByRole('button', { name: 'Retry' })).toHaveCount(hasRetry ? 1 : 0);
  }
});

test('a balance that fails says why on its own card, and is tried again', async ({ page, api }) => {
  const trader = await pickWithAccounts(api, ['bybit', 'kucoin']);
  const [failing, healthy] = trader.exchanges;
  if (!failing || !healthy) throw new Error('no accounts');
  let fails = true;
  await page.route(LIVE_BALANCES, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    if (fails)
      body.data[failing.acc_uid] = { ...body.data[failing.acc_uid], balance: null, error: TIMED_OUT };
    await route.fulfill({ response, json: body });
  });
  await page.goto(`/trader/${trader.id}`);
  const { card, keys } = traderDetail(page);
  await expect(card(failing).getByRole('alert').first()).toContainText('Failed to load');
  await expect(card(failing).getByText(TIMED_OUT.message)).toBeVisible();
  await expect(card(healthy).getByText(TIMED_OUT.message)).toHaveCount(0);
  fails = false;
  await card(failing).getByRole('button', { name: 'Retry' }).first().click();
  await expect(card(failing).getByText(TIMED_OUT.message)).toHaveCount(0);
  const again = page.waitForRequest(LIVE_BALANCES);
  await keys.getByRole('button', { name: 'Refresh balances' }).click();
  await again;
  const whitelist = page.waitForRequest(WHITELISTS);
  await keys.getByRole('button', { name: 'Refresh IP whitelist' }).click();
  await whitelist;
});
