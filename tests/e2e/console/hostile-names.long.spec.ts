import { expect, test } from '../support/test.ts';

const HEBREW = '\u05e7\u05d4\u05d9\u05dc\u05ea \u05d4\u05e1\u05d5\u05d7\u05e8\u05d9\u05dd';
const NAMES = { long: 'W'.repeat(200), 'of another direction': `${HEBREW} 7` };
/** The fields of an answer with what people, communities, providers and bots are called. */
const NAMED = /("(?:[a-z_]*_)?(?:user)?name":)"(?:[^"\\]|\\.)*"/g;

/** The innermost element that is wider than the window. */
const WIDEST = `[...document.querySelectorAll('main *')]
  .filter((e) => e.getBoundingClientRect().right > 391 && ![...e.children].some((c) => c.getBoundingClientRect().right > 391))
  .map((e) => e.tagName + '.' + e.className + ' < ' + e.parentElement.className)[0]`;

test.use({ viewport: { width: 390, height: 844 } });

// Every answer has such names: what the database holds is of no consequence.
for (const [kind, name] of Object.entries(NAMES))
  test(`a name that is ${kind} leaves every screen whole at phone width`, async ({ page, api }) => {
    const [trader] = (await api.call('GET /api/traders', { query: { limit: '1' } })).data;
    const [community] = (await api.call('GET /api/communities')).data;
    const [provider] = (await api.call('GET /api/providers')).data;
    const [pool] = (await api.call('GET /api/pooled-accounts')).pooled_accounts;
    const [person] = (await api.call('GET /api/users', { query: { limit: '1' } })).data;
    await page.route('**/api/**', async (route) => {
      if (/\/api\/(events|auth|me|config)/.test(route.request().url())) return route.fallback();
      // An exchange may take its time, and the machine too.
      const answer = await route.fetch({ timeout: 60_000 });
      const body = await answer.text();
      return route.fulfill({ response: answer, body: body.replace(NAMED, `$1${JSON.stringify(name)}`) });
    });
    test.slow();
    const screens = [
      '/',
      '/overview',
      '/payouts/due',
      '/recipients',
      '/approvals',
      '/attention',
      '/accounts',
      '/messages',
      '/messages/bots',
      '/subscriptions',
      '/bots',
      '/invoices',
      '/transaction-history',
      '/communities',
      `/community-settings/${community?.id}`,
      `/community-settings/${community?.id}?tab=traders`,
      `/community-settings/${community?.id}?tab=money`,
      `/community-settings/${community?.id}?tab=settings`,
      `/community-settings/${community?.id}/bot`,
      `/trader/${trader?.id}`,
      '/super-admin',
      '/pools',
      `/pools/${pool?.id}`,
      '/providers',
      `/providers/${provider?.id}`,
      '/people',
      `/people/${person?.id}`,
      '/audit',
      '/settings',
    ];
    const wide: string[] = [];
    for (const path of screens) {
      await page.goto(path);
      await expect(page.locator('h1').first()).toBeVisible();
      await expect(page.locator('.skeleton')).toHaveCount(0);
      const widths: number[] = await page.evaluate(
        '[document.scrollingElement, document.querySelector("main")].map((e) => e.scrollWidth)',
      );
      const isWide = widths.some((width) => width > 390);
      if (isWide) wide.push(`${path} ${widths} ${await page.evaluate(WIDEST)}`);
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    expect(wide).toEqual([]);
  });

test('a name of another direction keeps to itself in the sentence of a dialog', async ({ page, api }) => {
  const [trader] = (await api.call('GET /api/traders', { query: { limit: '1', tab: 'connected' } })).data;
  await page.route(`**/api/traders/${trader?.id}?**`, async (route) => {
    const answer = await route.fetch();
    const body = await answer.text();
    return route.fulfill({ response: answer, body: body.replace(NAMED, `$1${JSON.stringify(HEBREW)}`) });
  });
  await page.goto(`/trader/${trader?.id}`);
  await page.getByRole('combobox', { name: 'Trader Status' }).selectOption('delinquent');
  await expect(page.getByRole('dialog')).toContainText(
    `change the status of trader \u2068${HEBREW}\u2069 from Connected to Delinquent?`,
  );
});
