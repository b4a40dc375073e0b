import { expect, FAILED_REQUEST, test } from '../support/test.ts';
import { readingOf, traderDetail } from '../support/trader-detail.ts';
import { pickTrader } from '../support/traders-list.ts';

// A number of another trader, and a trader that does not exist.
test.use({ expectedComplaint: FAILED_REQUEST });

test('status, number and AUM change for real, and a change by others appears without a reload', async ({
  page,
  api,
}, { retry }) => {
  const number = `KAIT-E2E-${retry}`;
  const trader = await pickTrader(api, { tab: 'connected', exchange: 'bybit' });
  const other = await pickTrader(api, { tab: 'delinquent' });
  const { data: me } = await api.call('GET /api/me');
  const { title, status, user, dialog, aum } = traderDetail(page);
  const put = (body: { status?: 'connected'; reference_number?: string }) =>
    api.call('PATCH /api/traders/{id}', { params: { id: trader.id }, body });
  await page.goto(`/trader/${trader.id}`);
  await expect(title).toHaveText(trader.telegram_username ?? '');
  await expect(page.getByText(`KAIT number ${trader.reference_number}`)).toBeVisible();
  await aum.getByRole('button', { name: 'Refresh AUM' }).click();
  try {
    await status.selectOption('delinquent');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await expect(status).toHaveValue('delinquent');
    await expect(page.getByText(`Last updated by ${me.email}`)).toBeVisible();
    await put({ status: 'connected' });
    await expect(status).toHaveValue('connected');

    await user.getByRole('button', { name: 'Edit KAIT number' }).click();
    await dialog.getByRole('textbox').fill(other.reference_number);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByRole('alert')).toContainText('This reference number belongs to another trader.');
    await dialog.getByRole('textbox').fill(number);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(user.getByText(number)).toBeVisible();
  } finally {
    await put({ status: 'connected', reference_number: trader.reference_number });
  }
  await expect(user.getByText(trader.reference_number)).toBeVisible();
  await expect(
    aum.getByText(/^(AUM refreshed successfully!|AUM refreshed in part: .*|Failed to .*)$/),
  ).toBeVisible();
  await expect(await readingOf(page, 'AUM')).toBeVisible();

  await page.goto('/trader/KAIT-1');
  await expect(title).toHaveText('Trader Not Found');
});
