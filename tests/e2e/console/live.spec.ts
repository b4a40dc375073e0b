import type { Page } from '@playwright/test';
import { stopTime } from '../support/clock.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';
import { pickTrader, tradersList } from '../support/traders-list.ts';

/** After this much silence, and a moment, the stream counts as cut. */
const SILENCE_MS = 21_000;

/** Lets the page's time pass until it says this: a heartbeat that comes meanwhile begins the silence again. */
async function runUntil(page: Page, word: string | RegExp): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(SILENCE_MS);
    await expect(page.getByText(word, { exact: true })).toBeVisible({ timeout: 5_000 });
  }).toPass();
}

/** The server says something at least every 8 s. */
const HEARTBEAT_MS = 10_000;

test.describe('the word Live', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('stays while events arrive, and then shows since when they stopped', async ({ page }) => {
    await page.clock.install();
    const opened = page.waitForResponse('**/api/events');
    await page.goto('/');
    await opened;
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    await stopTime(page);
    await page.clock.runFor(5_000);
    // A heartbeat is heard meanwhile: the 20 s begin again.
    await new Promise((resolve) => setTimeout(resolve, HEARTBEAT_MS));
    await page.clock.runFor(12_000);
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    await page.route('**/api/events', (route) => route.abort());
    await runUntil(page, /^Not live since \d\d:\d\d UTC$/);
    await page.unroute('**/api/events');
    await runUntil(page, 'Live');
  });
});

test('what changes before the page listens appears as well', async ({ page, api }) => {
  const trader = await pickTrader(api, { tab: 'delinquent' });
  const params = { id: trader.id };
  const { promise: isChanged, resolve: listen } = Promise.withResolvers<void>();
  await page.route('**/api/events', async (route) => {
    await isChanged;
    await route.continue();
  });
  await page.goto(`/?tab=delinquent&search=${trader.reference_number}`);
  await expect(tradersList(page).found).toHaveText('1 trader found');
  try {
    await api.call('PATCH /api/traders/{id}', { params, body: { status: 'connected' } });
    await expect(page.getByText('Live', { exact: true })).toHaveCount(0);
    listen();
    await expect(page.getByRole('heading', { name: 'No traders found' })).toBeVisible();
  } finally {
    await api.call('PATCH /api/traders/{id}', { params, body: { status: 'delinquent' } });
  }
});
