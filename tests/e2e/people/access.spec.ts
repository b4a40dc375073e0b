import { createApi } from '../support/api.ts';
import { EXTERNAL_URL } from '../support/demo-world.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';
import { listTraders, pickTrader, tradersList } from '../support/traders-list.ts';

const BANNER_TEXT =
  "You don't have access to any providers. Please contact an administrator to grant you access.";
const CONNECTED = { tab: 'connected' } as const;

for (const [persona, badge] of [
  ['super', 'Super Admin'],
  ['staff', 'Aurora Signals'],
  ['staff-multi', '3 Providers'],
] as const) {
  test.describe(persona, () => {
    test.use({ persona });

    test(`sees "${badge}", the screens there are, and its own traders`, async ({ page, api }) => {
      await page.goto('/');
      // The link to the dashboard has the same words.
      const shown = page.getByRole('banner').locator('span').getByText(badge, { exact: true });
      await expect(shown.last()).toBeVisible();
      await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link')).toHaveText([
        'Traders',
        'Communities',
        'Invoices',
        'Transaction History',
        ...(persona === 'super' ? ['Super Admin'] : []),
      ]);
      const { meta } = await listTraders(api, { tab: 'connected' });
      expect(meta.total).toBeGreaterThan(0);
      await expect(tradersList(page).tab('Connected')).toContainText(String(meta.counts.connected));
    });
  });
}

test.describe('staff', () => {
  test.use({ persona: 'staff', expectedComplaint: FAILED_REQUEST });

  test('do not find the traders of others', async ({ page, api, baseURL }) => {
    const superAdmin = await createApi(baseURL ?? '', 'super');
    const [all, own] = await Promise.all([superAdmin, api].map((who) => listTraders(who, CONNECTED)));
    const ownId = (await api.call('GET /api/me')).data.providers[0]?.id;
    const foreign = all?.data.find(
      ({ exchanges, selected_provider_id }) =>
        selected_provider_id !== ownId && exchanges?.every(({ provider_id }) => provider_id !== ownId),
    );
    expect(own?.meta.total).toBeLessThan(all?.meta.total ?? 0);
    await page.goto(`/trader/${foreign?.id}`);
    await expect(page.getByRole('heading', { name: 'Trader Not Found' })).toBeVisible();
  });
});

/** A caller's identity, and its own communities: none. */
const ACCESS_CHECK = /^\/api\/(config|me|users\/[^/]+\/communities|auth\/.*)$/;

test.describe('an admin without providers', () => {
  test.use({ persona: 'no-access' });

  test('sees the banner on every screen, and sends no requests', async ({ page }) => {
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/')) asked.push(pathname);
    });
    const id = '00000000-0000-4000-a000-000000000000';
    for (const path of ['/', '/transaction-history', '/super-admin', `/trader/${id}`, `/pools/${id}`]) {
      await page.goto(path);
      const banner = page.getByRole('alert');
      await expect(banner.getByRole('heading')).toHaveText('No Provider Access');
      await expect(banner.getByRole('paragraph')).toHaveText(BANNER_TEXT);
      await expect(page.getByRole('banner').getByText(/Provider|Super/)).toHaveCount(0);
      await page.waitForTimeout(300);
      expect(
        asked.filter((call) => !ACCESS_CHECK.test(call)),
        path,
      ).toEqual([]);
    }
  });
});

test.describe('a person without the admin flag', () => {
  test.use({ persona: 'not-admin' });

  test('is sent to the external page from anywhere, and sends no requests', async ({ page }) => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.route(`${EXTERNAL_URL}**`, (route) =>
      route.fulfill({ contentType: 'text/html', body: 'Members' }),
    );
    await page.goto('/?tab=connected');
    await expect(page).toHaveURL(EXTERNAL_URL);
    expect(asked.filter((path) => path.startsWith('/api/traders'))).toEqual([]);
  });
});

test('the trader of a link opens for everyone who may see it', async ({ page, api }) => {
  const trader = await pickTrader(api, { tab: 'connected' });
  await page.goto(`/trader/${trader.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(trader.telegram_username ?? '');
});
