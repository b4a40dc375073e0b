import { randomUUID } from 'node:crypto';
import { listActive } from '../support/communities.ts';
import { superAdminScreen } from '../support/super-admin.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';

test.describe('with refusals', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('a provider is created, changed, and takes a new community', async ({ page, api }) => {
    const { dialog, menu, item, toast } = superAdminScreen(page);
    const name = `zenith ${randomUUID().slice(0, 8)}`;
    await page.goto('/providers');
    await expect(page.getByRole('link', { name: 'Aurora Signals' })).toBeVisible();
    await page.getByRole('button', { name: 'New provider' }).click();
    await dialog.getByRole('button', { name: 'Create provider' }).click();
    await expect(dialog).toContainText('Provider name is required');
    await expect(dialog).toContainText('Display name is required');
    await expect(dialog.getByLabel('Name', { exact: true })).toBeFocused();
    await expect(dialog.getByLabel('Payment split')).toHaveValue('0.35');
    await dialog.getByLabel('Name', { exact: true }).fill('aurora');
    await dialog.getByLabel('Display name').fill(name);
    await dialog.getByLabel('OKX').check();
    await dialog.getByLabel('Payout address').fill(ADDRESS);
    await dialog.getByLabel('Name', { exact: true }).fill(name);
    await dialog.getByRole('button', { name: 'Create provider' }).click();
    await expect(toast('Provider created successfully')).toBeVisible();

    // Its own page, with the address held until it is released.
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    const settings = page.getByRole('region', { name: 'Settings', exact: true });
    await expect(settings).toContainText('35%');
    await expect(settings).toContainText(/Waits for another super admin, and until .* UTC/);
    await expect(page.getByRole('region', { name: 'Settings History' })).toContainText(
      'Created with a payment split of 35%',
    );
    await expect(page.getByRole('region', { name: 'Exchange Accounts' })).toContainText('OKX');
    await expect(page.getByRole('region', { name: 'Exchange Accounts' })).not.toContainText('KuCoin');

    await settings.getByRole('button', { name: 'Edit', exact: true }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(toast('No changes to save')).toBeVisible();
    await settings.getByRole('button', { name: 'Edit', exact: true }).click();
    await dialog.getByLabel('Payment split').fill('0.4');
    await expect(dialog).toContainText('No community works with this provider yet.');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(toast('Provider updated successfully')).toBeVisible();
    await expect(settings).toContainText('40%');

    // From the dashboard: a community for it.
    await page.goto('/super-admin');
    await page.getByRole('button', { name: 'New community' }).click();
    const community = `Community of ${name}`;
    await dialog.getByRole('button', { name: 'Create community' }).click();
    await expect(dialog).toContainText('Choose at least one provider');
    await dialog.getByLabel('Name', { exact: true }).fill(community);
    await dialog.getByLabel(name).check();
    await expect(dialog).toContainText('At most 60% with these providers');
    await dialog.getByLabel('Split percentage').fill('61');
    await dialog.getByLabel('Owner', { exact: true }).fill('Olga');
    await dialog.getByLabel("Owner's Telegram chat").fill('4711');
    await dialog.getByRole('button', { name: 'Create community' }).click();
    await expect(dialog).toContainText(`${name} takes 40% of an invoice`);
    await dialog.getByLabel('Split percentage').fill('10');
    await dialog.getByRole('button', { name: 'Create community' }).click();
    await expect(page.getByRole('heading', { level: 1, name: community })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Settings', exact: true })).toContainText(
      'Telegram 4711, English',
    );

    // What it still needs is listed, with the way there.
    const setUp = page.getByRole('region', { name: 'Set-up' });
    await expect(setUp).toContainText(/\d of 7 steps are done/);
    await setUp.getByRole('link', { name: 'See the traders' }).click();
    await expect(page.getByRole('region', { name: /^Traders/ })).toContainText('No traders yet');

    // A share that the community does not leave is refused, with the reason.
    await page.getByRole('tab', { name: 'Settings' }).click();
    const panel = page.getByRole('region', { name: /^Providers/ });
    await panel.getByRole('link', { name }).click();
    await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
    await settings.getByRole('button', { name: 'Edit', exact: true }).click();
    await dialog.getByLabel('Payment split').fill('0.95');
    await expect(dialog).toContainText('More than the invoice');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toContainText(`at most 90% in ${community}`);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Providers' }).click();
    await menu(name).click();
    await item('Disable invoicing').click();
    await expect(dialog).toContainText('Open invoices stay due');
    await dialog.getByRole('button', { name: 'Disable invoicing' }).click();
    await expect(toast('Invoicing disabled successfully')).toBeVisible();
    await expect(page.getByRole('row').filter({ hasText: name })).toContainText('Disabled');

    const created = (await listActive(api)).find((each) => each.name === community);
    await api.call('DELETE /api/super-admin/communities/{id}', { params: { id: created?.id ?? '' } });
  });
});

test('the providers of a community are linked, renamed, and removed unless in use', async ({ page, api }) => {
  const { dialog, menu, item, toast } = superAdminScreen(page);
  const [community] = await listActive(api);
  const id = community?.id ?? '';
  const linked = (await api.call('GET /api/communities/{id}/providers', { params: { id } })).data;
  const used = linked.find(({ trader_count }) => trader_count > 0);
  await page.goto(`/community-settings/${id}?tab=settings`);
  const panel = page.getByRole('region', { name: /^Providers/ });
  await panel.getByRole('button', { name: 'Link provider' }).click();
  const providers = (await api.call('GET /api/providers', { query: { active: 'true' } })).data;
  const free = providers.find((each) => !linked.some(({ provider_id }) => provider_id === each.id));
  await dialog.getByLabel('Provider', { exact: true }).selectOption(free?.display_name ?? '');
  await dialog.getByLabel('Name in this community').fill('House desk');
  await dialog.getByRole('button', { name: 'Link provider' }).click();
  await expect(toast('Provider linked')).toBeVisible();
  const name = free?.display_name ?? '';
  const row = panel.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
  await expect(row).toContainText('as House desk');

  await menu(name).click();
  await item('Edit').click();
  await dialog.getByLabel('Name in this community').fill('');
  await dialog.getByLabel('Open to new traders').uncheck();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(row).toContainText('Closed to new traders');
  await expect(row).not.toContainText('House desk');

  await menu(used?.display_name ?? '').click();
  await item('Remove').click();
  await expect(dialog).toContainText(/\d+ traders? (has|have) selected it/);
  await expect(dialog.getByRole('button', { name: 'Remove' })).toHaveCount(0);
  await page.keyboard.press('Escape');

  await menu(name).click();
  await item('Remove').click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(toast('Provider removed from the community')).toBeVisible();
  await expect(row).toHaveCount(0);
});
