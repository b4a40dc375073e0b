import { expect, test } from '../support/test.ts';

test('the settings say what the installation still needs, and what is done on demand', async ({
  page,
  api,
}) => {
  const { data: steps } = await api.call('GET /api/setup-checklist', {});
  const open = steps.filter(({ state }) => state !== 'done');
  expect(open.length).toBeGreaterThan(0);
  await page.goto('/settings');
  const panel = page.getByRole('region', { name: 'Set-up' });
  const list = panel.getByRole('list', { name: 'Steps of the set-up' });
  await expect(list.getByRole('listitem')).toHaveCount(open.length);
  await expect(panel).toContainText(`${steps.length - open.length} of ${steps.length} steps are done`);
  for (const { text } of open) await expect(list).toContainText(text);
  await panel.getByRole('button', { name: 'Show all' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(steps.length);
  await expect(list.getByText('Done', { exact: true })).toHaveCount(steps.length - open.length);
});
