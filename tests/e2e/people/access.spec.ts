import { createApi } from '../support/api.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';
import { listTraders, tradersList } from '../support/traders-list.ts';

const CONNECTED = { tab: 'connected' } as const;

// Badges, screens and what an admin without providers sees are in the component test of the frame.
test.use({ persona: 'staff', expectedComplaint: FAILED_REQUEST });

test('staff have their own traders, and do not find those of others', async ({ page, api, baseURL }) => {
  const superAdmin = await createApi(baseURL ?? '', 'super');
  const [all, own] = await Promise.all([superAdmin, api].map((who) => listTraders(who, CONNECTED)));
  const ownId = (await api.call('GET /api/me')).data.providers[0]?.id;
  const foreign = all?.data.find(
    ({ exchanges, selected_provider_id }) =>
      selected_provider_id !== ownId && exchanges?.every(({ provider_id }) => provider_id !== ownId),
  );
  expect(own?.meta.total).toBeGreaterThan(0);
  expect(own?.meta.total).toBeLessThan(all?.meta.total ?? 0);
  await page.goto('/');
  await expect(page.getByRole('banner').getByText('Aurora Signals', { exact: true })).toBeVisible();
  await expect(tradersList(page).tab('Connected')).toContainText(String(own?.meta.counts.connected));
  await page.goto(`/trader/${foreign?.id}`);
  await expect(page.getByRole('heading', { name: 'Trader Not Found' })).toBeVisible();
  const [mine] = own?.data ?? [];
  await page.goto(`/trader/${mine?.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(mine?.telegram_username ?? '');
});
