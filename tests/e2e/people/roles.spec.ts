import { randomUUID } from 'node:crypto';
import { expectAccessible } from '../support/accessibility.ts';
import { embeddedOnly } from '../support/identity-mode.ts';
import { expect, test } from '../support/test.ts';

const PASSWORD = 'correct horse battery';
test.describe.configure({ timeout: 120_000 });

test('the roles of staff, and what every call needs, are on one page', async ({ page }) => {
  await page.goto('/roles');
  const matrix = page.getByRole('region', { name: 'Roles and capabilities' });
  await expect(matrix.getByRole('row', { name: /^Change traders/ }).getByRole('cell')).toHaveText([
    /No/,
    /No/,
    /Yes/,
    /Yes/,
    /Yes/,
    /Yes/,
  ]);
  const calls = page.getByRole('table', { name: 'Calls' });
  await expect(calls.getByRole('row')).not.toHaveCount(1);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Search calls' }).click();
  await page.getByRole('searchbox', { name: 'Search calls' }).fill('exchange/reveal');
  await expect(calls.getByRole('row')).toHaveCount(2);
  await expect(calls.getByRole('row').nth(1)).toContainText('Staff who may reveal secrets');
  await page.getByRole('searchbox', { name: 'Search calls' }).fill('no such call');
  await expect(page.getByText('No calls found')).toBeVisible();
});

test('on a phone the matrix scrolls, and the page does not', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/roles');
  const matrix = page.getByRole('region', { name: 'Roles and capabilities' });
  await expect(matrix.getByRole('row', { name: /^Change traders/ })).toContainText('payout address');
  await expect(page.getByText('/traders/export').first()).toBeVisible();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  expect(await matrix.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(true);
});

test('a viewer changes nothing, and as an owner sees the team', async ({ page, browser, baseURL, api }) => {
  embeddedOnly('Invited people choose passwords of ours');
  const { data: providers } = await api.call('GET /api/providers', { query: {} });
  const aurora = providers.find(({ display_name }) => display_name === 'Aurora Signals');
  const email = `viewer-${randomUUID().slice(0, 8)}@example.com`;
  const dialog = page.getByRole('dialog');
  await page.goto('/people');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await dialog.getByLabel('E-mail').fill(email);
  await dialog.getByLabel('Aurora Signals', { exact: true }).check();
  await dialog.getByLabel('Role at Aurora Signals').selectOption('Viewer');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  const link = new URL((await dialog.locator('code').textContent()) ?? '');
  await dialog.getByRole('button', { name: 'Done' }).click();

  const guest = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage();
  await guest.goto(`${link.pathname}${link.hash}`);
  await guest.getByLabel('Name').fill('Vera Viewer');
  await guest.getByLabel('Password').fill(PASSWORD);
  await guest.getByRole('button', { name: 'Create account' }).click();
  await expect(guest.getByRole('heading', { name: 'Traders' })).toBeVisible();
  await expect(guest.getByRole('button', { name: 'Export CSV' })).toHaveCount(0);
  const { data: traders } = await api.call('GET /api/traders', {
    query: { provider_id: aurora?.id ?? '', limit: '1' },
  });
  await guest.goto(`/trader/${traders[0]?.id}`);
  await expect(guest.getByRole('combobox', { name: 'Trader Status' })).toBeDisabled();
  for (const name of ['Refresh AUM', 'Connect exchange', 'Edit KAIT number', 'Export CSV'])
    await expect(guest.getByRole('button', { name })).toHaveCount(0);

  const { data: found } = await api.call('GET /api/users', { query: { search: email } });
  await page.goto(`/people/${found[0]?.id}`);
  const rights = page.getByRole('region', { name: 'Rights' });
  await expect(rights).toContainText('Viewer of Aurora Signals');
  await expect(rights).not.toContainText('Owner');
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await expect(dialog.getByLabel('Role at Aurora Signals')).toHaveValue('viewer');
  await dialog.getByLabel('Role at Aurora Signals').selectOption('Owner');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(rights).toContainText('Owner of Aurora Signals');
  await expectAccessible(page);

  await guest.reload();
  await expect(guest.getByRole('combobox', { name: 'Trader Status' })).toBeEnabled();
  await guest.getByRole('button', { name: /account of Vera Viewer/ }).click();
  await guest.getByRole('menuitem', { name: 'Team' }).click();
  await expect(guest.getByRole('table', { name: 'Staff of Aurora Signals' })).toContainText(email);
  await expectAccessible(guest);
  await guest.context().close();
});
