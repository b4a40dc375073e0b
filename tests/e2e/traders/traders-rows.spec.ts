import { readFile } from 'node:fs/promises';
import { stopTime } from '../support/clock.ts';
import { expect, test } from '../support/test.ts';
import { listTraders, pickTrader, type Trader, tradersList } from '../support/traders-list.ts';

test('a row opens its trader by click, Enter and Space', async ({ page, api }) => {
  const { data } = await listTraders(api, { tab: 'connected' });
  const row = tradersList(page).row(1);
  await page.goto('/?tab=connected');
  for (const open of [() => row.click(), () => row.press('Enter'), () => row.press(' ')]) {
    await open();
    await expect(page).toHaveURL(`/trader/${data[1]?.id}`);
    await page.goBack();
    await expect(page).toHaveURL('/?tab=connected');
  }
});

test('the arrow keys walk through the list, which is one stop of the Tab key', async ({ page, api }) => {
  const { meta } = await listTraders(api, { tab: 'connected' });
  await page.goto('/?tab=connected');
  const list = tradersList(page);
  await list.column('Balance').getByRole('button').focus();
  await page.keyboard.press('Tab');
  await expect(list.row(0)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(list.row(2)).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(list.row(1)).toBeFocused();
  await page.keyboard.press('PageDown');
  await expect(list.row(1)).not.toBeFocused();
  await page.keyboard.press('End');
  await expect(list.row(meta.total - 1)).toBeFocused();
  await expect(list.row(meta.total - 1)).toBeInViewport();
  await page.keyboard.press('Home');
  await expect(list.row(0)).toBeFocused();
  await expect(list.row(0)).toBeInViewport();
});

test('scrolling reaches the end, with few rows in the page at a time', async ({ page, api }) => {
  const { meta } = await listTraders(api, { tab: 'connected' });
  const end = await listTraders(api, { tab: 'connected', offset: String(meta.total - 1), limit: '1' });
  await page.goto('/?tab=connected');
  const list = tradersList(page);
  await list.rows.first().hover();
  await page.mouse.wheel(0, 36 * meta.total);
  await expect(list.row(meta.total - 1)).toBeInViewport();
  await expect(list.row(meta.total - 1)).toContainText(end.data[0]?.reference_number ?? 'N/A');
  await expect(list.grid).toHaveAttribute('aria-rowcount', String(meta.total + 1));
  expect(await list.rows.count()).toBeLessThan(60);
});

test('coming back from a trader finds the list as it was left', async ({ page }) => {
  await page.goto('/?tab=connected&sort=reference_number');
  const list = tradersList(page);
  await list.rows.first().hover();
  await page.mouse.wheel(0, 36 * 60);
  await expect(list.row(70)).toContainText('Connected');
  await list.row(70).click();
  await page.getByRole('button', { name: 'Back to Traders' }).click();
  await expect(page).toHaveURL('/?tab=connected&sort=reference_number');
  await expect(list.row(70)).toBeInViewport();
});

test('a community name is copied, says so for two seconds, and opens nothing', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.clock.install();
  await page.goto('/?tab=connected');
  const button = tradersList(page)
    .row(0)
    .getByRole('button', { name: /, copy community name$/ });
  const name = (await button.textContent()) ?? '';
  await stopTime(page);
  await button.click();
  const copied = page.getByRole('button', { name: 'Copied!' });
  await expect(copied).toHaveText('Copied!');
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(name);
  await page.clock.runFor(1_900);
  await expect(copied).toBeVisible();
  await page.clock.runFor(200);
  await expect(copied).toHaveCount(0);
  await expect(button).toHaveText(name);
  await expect(page).toHaveURL('/?tab=connected');
});

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
  const lines = (await readFile(await download.path(), 'utf8'))
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\r\n');
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
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
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

test('counts from before a change are requested again', async ({ page, api }) => {
  const trader = await pickTrader(api, { tab: 'delinquent' });
  const change = (status: 'delinquent' | 'connected') =>
    api.call('PATCH /api/traders/{id}', { params: { id: trader.id }, body: { status } });
  // As when counting is dear: what was counted before is answered once more after the change.
  let counted: unknown;
  let isKept = false;
  await page.route('**/api/traders?*', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    counted ??= body.meta;
    if (isKept) body.meta = counted;
    isKept = false;
    await route.fulfill({ response, json: body });
  });
  await page.goto(`/?tab=delinquent&search=${trader.reference_number}`);
  await expect(tradersList(page).found).toHaveText('1 trader found');
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  isKept = true;
  try {
    await change('connected');
    await expect(page.getByRole('heading', { name: 'No traders found' })).toBeVisible();
  } finally {
    await change('delinquent');
  }
});

test('markup in a reference number is shown as text', async ({ page, api }) => {
  const markup = '<img src=x onerror="window.wasRun=1"><b>bold</b>';
  const trader = await pickTrader(api, { tab: 'connected' });
  const name = (reference_number: string) =>
    api.call('PATCH /api/traders/{id}', { params: { id: trader.id }, body: { reference_number } });
  await name(markup);
  try {
    await page.goto(`/?tab=connected&search=${encodeURIComponent('<IMG')}`);
    await expect(tradersList(page).row(0)).toContainText(markup);
    await tradersList(page).row(0).click();
    // It stands in the header and, as soon as that is there, in a panel.
    await expect(page.getByText(markup).first()).toBeVisible();
    expect(await page.evaluate('window.wasRun')).toBeUndefined();
  } finally {
    await name(trader.reference_number);
  }
});
