import { randomUUID } from 'node:crypto';
import { embeddedOnly } from '../support/identity-mode.ts';
import { expect, test } from '../support/test.ts';

const PASSWORD = 'correct horse battery';

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

  await guest.reload();
  await expect(guest.getByRole('combobox', { name: 'Trader Status' })).toBeEnabled();
  await guest.getByRole('button', { name: /account of Vera Viewer/ }).click();
  await guest.getByRole('menuitem', { name: 'Team' }).click();
  await expect(guest.getByRole('table', { name: 'Staff of Aurora Signals' })).toContainText(email);
  await guest.context().close();
});
