import { readFile } from 'node:fs/promises';
import { linesOfCsv } from '../../support/csv-lines.ts';
import { expect, test } from '../support/test.ts';
import { listTraders, pickTrader, type Trader, tradersList } from '../support/traders-list.ts';

test('the export holds the filtered list in its order', async ({ page, api }) => {
  const expected: Trader[] = [];
  const query = { tab: 'connected', search: '10', orderBy: 'telegram_username' } as const;
  const { meta } = await listTraders(api, query);
  for (let offset = 0; offset < meta.total; offset += 100)
    expected.push(...(await listTraders(api, { ...query, offset: String(offset) })).data);

  await page.goto('/?tab=connected&search=10&sort=telegram_username');
  await expect(tradersList(page).rows.first()).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^traders-.*\d{4}-\d{2}-\d{2}.*\.csv$/);
  const lines = linesOfCsv(await readFile(await download.path()));
  const [header, ...rows] = lines.map((line) => line.split(','));
  const column = (name: string) => rows.map((row) => row[header?.indexOf(name) ?? -1]);
  expect(column('Trader ID')).toEqual(expected.map(({ id }) => id));
  expect(column('Reference Number')).toEqual(expected.map((trader) => trader.reference_number ?? ''));
  // Now and then an account is read; one may have been since the list was asked for.
  const moved = expected.filter((trader, row) => Number(column('Balance (USD)')[row]) !== (trader.aum ?? 0));
  expect(moved.length).toBeLessThanOrEqual(1);
  await expect(page.getByText('Export ready', { exact: true })).toBeVisible();
});

test('changes by others appear without a reload', async ({ page, api }) => {
  const trader = await pickTrader(api, { tab: 'delinquent' });
  const before = (await listTraders(api, { tab: 'delinquent' })).meta.counts;
  const change = (status: 'delinquent' | 'connected') =>
    api.call('PATCH /api/traders/{id}', { params: { id: trader.id }, body: { status } });
  await page.goto(`/?tab=delinquent&search=${trader.reference_number}`);
  const list = tradersList(page);
  await expect(list.found).toHaveText('1 trader found');
  await page.evaluate('window.isSamePage = true');
  try {
    await change('connected');
    await expect(page.getByRole('heading', { name: 'No traders found' })).toBeVisible();
    await expect(list.tab('Connected')).toHaveText(/Connected\s*1$/);
    await page.getByRole('button', { name: 'Close search' }).click();
    await expect(list.tab('Delinquent')).toHaveText(new RegExp(`^Delinquent\\s*${before.delinquent - 1}$`));
    await expect(list.tab('Connected')).toHaveText(new RegExp(`^Connected\\s*${before.connected + 1}$`));
  } finally {
    await change('delinquent');
  }
  await expect(list.tab('Delinquent')).toHaveText(new RegExp(`^Delinquent\\s*${before.delinquent}$`));
  expect(await page.evaluate('window.isSamePage')).toBe(true);
});
