import { expect, FAILED_REQUEST, test } from '../support/test.ts';
import { traderDetail } from '../support/trader-detail.ts';
import { pickTrader } from '../support/traders-list.ts';

test('a status is changed after a question, by keyboard alone', async ({ page, api }) => {
  const trader = await pickTrader(api, { tab: 'connected' });
  const { data: me } = await api.call('GET /api/me');
  const { status, dialog } = traderDetail(page);
  await page.goto(`/trader/${trader.id}`);
  await status.selectOption('delinquent');
  await expect(dialog).toHaveAccessibleName('Confirm Status Change');
  await expect(dialog).toHaveAccessibleDescription(
    `Are you sure you want to change the status of trader ${trader.telegram_username} from Connected to Delinquent?`,
  );
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(status).toHaveValue('connected');

  await status.selectOption('delinquent');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(status).toHaveValue('connected');

  await status.selectOption('delinquent');
  await expect(dialog).toBeVisible();
  await page.mouse.click(5, 400);
  await expect(dialog).toHaveCount(0);
  await expect(status).toHaveValue('connected');

  await status.selectOption('connected');
  await expect(dialog).toHaveCount(0);

  try {
    await status.selectOption('delinquent');
    await dialog.getByRole('button', { name: 'Confirm' }).press('Enter');
    await expect(dialog).toHaveCount(0);
    await expect(status).toHaveValue('delinquent');
    await expect(page.getByText(`Last updated by ${me.email}`)).toBeVisible();
    await expect(page.getByText('Status updated', { exact: true })).toBeVisible();
  } finally {
    await api.call('PATCH /api/traders/{id}', { params: { id: trader.id }, body: { status: 'connected' } });
  }
  // Told by the server, without a reload.
  await expect(status).toHaveValue('connected');
});

test('the KAIT number is edited, saved once, and removed when empty', async ({ page, api }, { retry }) => {
  const number = `KAIT-E2E-${retry}`;
  const trader = await pickTrader(api, { tab: 'connected' });
  const { user, dialog } = traderDetail(page);
  const edit = user.getByRole('button', { name: 'Edit KAIT number' });
  const field = dialog.getByRole('textbox', { name: 'KAIT number' });
  await page.goto(`/trader/${trader.id}`);
  await edit.click();
  await expect(dialog).toHaveAccessibleName('Edit KAIT Number');
  await expect(field).toBeFocused();
  await expect(field).toHaveValue(trader.reference_number);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(edit).toBeFocused();

  let saves = 0;
  let release = () => {};
  await page.route('**/api/traders/*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.fallback();
    saves += 1;
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    await route.continue();
  });
  try {
    await edit.click();
    await field.fill(number);
    await field.press('Enter');
    await expect(dialog.getByRole('button', { name: 'Saving...' })).toBeVisible();
    await field.press('Enter');
    await expect.poll(() => saves).toBe(1);
    release();
    await expect(dialog).toHaveCount(0);
    expect(saves).toBe(1);
    await expect(user.getByText(number)).toBeVisible();
    await expect(page.getByText(`KAIT number ${number}`)).toBeVisible();
    await page.unrouteAll();

    await edit.click();
    await field.fill('  ');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(user.getByText('Not set')).toBeVisible();
    await expect(page.getByText('No reference number')).toBeVisible();
  } finally {
    const { reference_number } = trader;
    await api.call('PATCH /api/traders/{id}', { params: { id: trader.id }, body: { reference_number } });
  }
});

test.describe('refusals of the server', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('a number of another trader, or a status that could not be saved: it says why', async ({
    page,
    api,
  }) => {
    const trader = await pickTrader(api, { tab: 'connected' });
    const other = await pickTrader(api, { tab: 'delinquent' });
    const { user, status, dialog } = traderDetail(page);
    await page.goto(`/trader/${trader.id}`);
    await user.getByRole('button', { name: 'Edit KAIT number' }).click();
    await dialog.getByRole('textbox').fill(other.reference_number);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByRole('alert')).toHaveText(
      'Failed to update reference number. Please try again. This reference number belongs to another trader.',
    );
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(user.getByText(trader.reference_number)).toBeVisible();

    await page.route('**/api/traders/*', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 503, json: { success: false, error: 'unavailable', message: 'Not now.' } })
        : route.fallback(),
    );
    await status.selectOption('pending');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('Not now.');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(status).toHaveValue('connected');
  });
});

test.describe('AUM', () => {
  test('is refreshed for real', async ({ page, api }) => {
    const trader = await pickTrader(api, { tab: 'connected', exchange: 'bybit' });
    const { aum } = traderDetail(page);
    await page.goto(`/trader/${trader.id}`);
    await aum.getByRole('button', { name: 'Refresh AUM' }).click();
    await expect(
      aum.getByText(/^(AUM refreshed successfully!|AUM refreshed in part: .*|Failed to .*)$/),
    ).toBeVisible();
    await expect(aum.getByText(/^(as of|oldest reading) \d\d:\d\d:\d\d UTC$/)).toBeVisible();
  });

  test.describe('that is followed to its end', () => {
    test.use({ expectedComplaint: FAILED_REQUEST });

    test('shows the number of accounts read, and a failed request', async ({ page, api }) => {
      const trader = await pickTrader(api, { tab: 'connected' });
      const { aum } = traderDetail(page);
      const refresh = { requested_at: '2099-01-01T00:00:00.000Z', aum: 5, aum_read_at: null };
      const button = aum.getByRole('button', { name: 'Refresh AUM' });
      let state: object = { ...refresh, requested_at: null, state: 'idle', total: 0, done: 0, failed: 0 };
      let isCut = true;
      await page.route('**/api/traders/*/refresh-aum', (route) => {
        const isAsked = route.request().method() === 'POST';
        if (isAsked && isCut) return route.abort();
        if (isAsked) state = { ...refresh, state: 'running', total: 3, done: 1, failed: 0 };
        return route.fulfill({ json: { success: true, data: state } });
      });
      await page.goto(`/trader/${trader.id}`);
      await button.click();
      await expect(aum.getByText('Failed to refresh AUM. Please try again.')).toBeVisible();
      isCut = false;
      for (const [failed, text] of [
        [0, 'AUM refreshed successfully!'],
        [1, 'AUM refreshed in part: 1 of 3 accounts could not be read, its last known balance counts.'],
        [3, 'Failed to refresh AUM. Please try again.'],
      ] as const) {
        await button.click();
        await expect(aum.getByRole('button', { name: 'Refreshing AUM...' })).toBeVisible();
        await expect(aum.getByText('1 of 3 accounts')).toBeVisible();
        state = { ...refresh, state: 'done', total: 3, done: 3, failed };
        await expect(aum.getByText(text)).toBeVisible();
        await expect(button).toBeVisible();
      }
    });
  });
});
