import { formatWholeUsd } from '@copydesk/domain/money';
import type { Page } from '@playwright/test';
import { embeddedOnly } from '../support/identity-mode.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';
import { traderDetail } from '../support/trader-detail.ts';
import { pickTrader } from '../support/traders-list.ts';

const MISSING = '00000000-0000-4000-a000-000000000000';
const title = (page: Page) => traderDetail(page).title;
const back = (page: Page) => traderDetail(page).back;

test('names the trader, its number, its status and its balance, and leads back', async ({ page, api }) => {
  const trader = await pickTrader(api, { tab: 'connected' });
  const { status, aum, user } = traderDetail(page);
  await page.goto(`/trader/${trader.id}`);
  await expect(title(page)).toHaveText(trader.telegram_username ?? '');
  await expect(page).toHaveTitle(`${trader.telegram_username} · Copydesk`);
  await expect(page.getByText(`KAIT number ${trader.reference_number}`)).toBeVisible();
  await expect(status).toHaveValue('connected');
  await expect(page.getByText(`Last updated by ${trader.last_updated_by ?? 'N/A'}`)).toBeVisible();
  await expect(aum.getByText('Current AUM', { exact: true })).toBeVisible();
  await expect(aum.getByText(formatWholeUsd(trader.aum), { exact: true })).toBeVisible();
  // Of several accounts the oldest reading is what the sum stands on.
  const isSum = (trader.exchanges?.length ?? 0) > 1;
  await expect(aum.getByText(isSum ? /^oldest reading / : /^as of /)).toBeVisible();
  await expect(user.getByText(trader.reference_number)).toBeVisible();
  await expect(page.getByText('Last Updated', { exact: true })).toBeVisible();
  await expect(page.getByText('Created', { exact: true })).toBeVisible();
  await back(page).click();
  await expect(page).toHaveURL('/');
});

test('shows the gaps of a new trader', async ({ page, api }) => {
  const known = await pickTrader(api, { tab: 'connected' });
  const { status, positions, keys, history, aum, user, invoices, equity, calendar } = traderDetail(page);
  const { data: trader } = await api.call('POST /api/traders', {
    body: {
      community_id: known.community_id,
      selected_provider_id: known.selected_provider_id ?? '',
      language: 'en',
    },
  });
  try {
    await page.goto(`/trader/${trader.id}`);
    await expect(title(page)).toHaveText('Unknown Trader');
    await expect(page.getByText('No reference number')).toBeVisible();
    await expect(status).toHaveValue('pending');
    await expect(aum.getByText('Not calculated')).toBeVisible();
    await expect(user.getByText('Not set')).toBeVisible();
    await expect(user.getByText('Not provided')).toHaveCount(4);
    await expect(positions.getByRole('status')).toContainText('No active positions');
    await expect(positions.getByText("This trader doesn't have any open positions")).toBeVisible();
    await expect(keys.getByRole('status')).toContainText('No exchanges connected');
    await expect(keys.getByText("This trader hasn't connected any exchanges yet")).toBeVisible();
    await expect(history.getByRole('status')).toContainText('No position history');
    await expect(history.getByText("This trader hasn't closed any positions yet")).toBeVisible();
    await expect(equity.getByText('No equity recorded in this range')).toBeVisible();
    await expect(calendar.getByText('No position was closed in this month')).toBeVisible();
    await expect(invoices).toHaveCount(0);
  } finally {
    await api.call('DELETE /api/traders/{id}', { params: { id: trader.id } });
  }
});

test.describe('that does not exist', () => {
  test.use({ expectedComplaint: /^Failed to load resource.*404/ });

  for (const id of [MISSING, 'KAIT-1']) {
    test(`is not found: ${id}`, async ({ page }) => {
      await page.goto(`/trader/${id}`);
      await expect(title(page)).toHaveText('Trader Not Found');
      await expect(page.getByText('The requested trader could not be found.')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Try Again' })).toHaveCount(0);
      await back(page).click();
      await expect(page).toHaveURL('/');
    });
  }
});

test.describe('that is slow', () => {
  // The clock that runs on belongs to every request of the page.
  test.use({ expectedComplaint: /could not be read/ });

  test('says so after ten seconds, and can be tried again', async ({ page, api }) => {
    embeddedOnly('The script of the service does not load while the time of the page stands still');
    const trader = await pickTrader(api, { tab: 'connected' });
    let isBusy = true;
    await page.route('**/api/traders/*', (route) => (isBusy ? undefined : route.continue()));
    await page.clock.install({ time: 0 });
    // From the first moment of the page on, which may take any time to load.
    await page.clock.pauseAt(60_000);
    await page.goto(`/trader/${trader.id}`);
    await expect(page.getByRole('status')).toHaveText('Loading trader details...');
    await page.clock.runFor(9_900);
    await expect(page.getByRole('status')).toHaveText('Loading trader details...');
    await page.clock.runFor(200);
    await expect(title(page)).toHaveText('Loading Taking Too Long');
    await expect(back(page)).toBeVisible();
    isBusy = false;
    await page.clock.resume();
    await page.getByRole('button', { name: 'Try Again' }).click();
    await expect(title(page)).toHaveText(trader.telegram_username ?? '');
  });
});

test.describe('that cannot be loaded', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  for (const [what, status, heading, text] of [
    ['access is denied', 403, 'Access Denied', /You don't have permission to view this trader/],
    ['the server fails', 500, 'Something went wrong', /^Something went wrong on our side$/],
    ['nothing answers', null, 'Connection Error', /check your internet connection/],
  ] as const) {
    test(`because ${what}`, async ({ page, api }) => {
      const trader = await pickTrader(api, { tab: 'connected' });
      await page.clock.install();
      let attempts = 0;
      await page.route('**/api/traders/*', (route) => {
        attempts += 1;
        const message = 'Something went wrong on our side';
        if (status === null) return route.abort();
        return route.fulfill({ status, json: { success: false, error: 'some_error', message } });
      });
      await page.goto(`/trader/${trader.id}`);
      // Three more attempts after 1, 2 and 4 seconds, but none after a refusal.
      await expect
        .poll(
          async () => {
            await page.clock.runFor(300);
            return title(page).allInnerTexts();
          },
          { intervals: [50] },
        )
        .toEqual([heading]);
      expect(attempts).toBe(status === 403 ? 1 : 4);
      await expect(page.getByRole('alert').getByRole('paragraph')).toHaveText(text);
      await expect(back(page)).toBeVisible();
      await page.unroute('**/api/traders/*');
      await page.getByRole('button', { name: 'Try Again' }).click();
      await expect(title(page)).toHaveText(trader.telegram_username ?? '');
    });
  }
});
