import { pickCommunity, putBack } from '../support/communities.ts';
import { expect, test } from '../support/test.ts';

test('what was done is read as sentences, narrowed, exported, and its chain is checked', async ({
  page,
  api,
}) => {
  const community = await pickCommunity(api);
  const wanted = community.minimum_balance + 7;
  await api.call('PATCH /api/communities/{id}', {
    params: { id: community.id },
    idempotencyKey: null,
    body: { minimum_balance: wanted },
  });
  // Workers write hundreds of entries into a new world.
  await page.goto('/audit?by=user');
  const entries = page.getByRole('list', { name: 'Audit entries, newest first' });
  const entry = entries
    .getByRole('listitem')
    .filter({ hasText: `changed the settings of the community ${community.name}` })
    .filter({ hasText: `minimum balance: ${community.minimum_balance} to ${wanted}` });
  await expect(entry).toHaveCount(1);
  await entry.getByRole('button', { name: /Raw$/ }).click();
  await expect(entry.locator('pre')).toContainText('"action": "community.settings_changed"');

  await entry.getByRole('button', { name: `Only this: Community ${community.name}` }).click();
  await expect(page).toHaveURL(new RegExp(`target=${community.id}`));
  await expect(entries.getByRole('listitem').first()).toContainText(community.name);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  expect((await downloading).suggestedFilename()).toMatch(/^audit-\d{4}-\d\d-\d\d\.csv$/);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page).toHaveURL(/\/audit$/);

  await page.getByRole('button', { name: 'Kind' }).click();
  await page.getByRole('option', { name: 'Service tokens' }).click();
  await expect(page.getByText('No entries found')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();

  const chain = page.getByRole('region', { name: 'Chain' });
  await chain.getByRole('button', { name: 'Verify chain' }).click();
  await expect(chain).toContainText('Intact', { timeout: 30_000 });
  await expect(chain).toContainText(/\d+ entries/);
  await putBack(api, community);
});
