import { createApi } from '../support/api.ts';
import { newSession } from '../support/sessions.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';
import { listTraders, tradersList } from '../support/traders-list.ts';

const CONNECTED = { tab: 'connected' } as const;
const switcher = /^Provider: /;

test.describe('staff of several providers', () => {
  test.use({ persona: 'staff-multi', expectedComplaint: FAILED_REQUEST });

  test('work in one of them, in all again, and in all after losing one', async ({ page, api, baseURL }) => {
    const { data: me } = await api.call('GET /api/me');
    const [first, second] = me.organizations;
    const all = await listTraders(api, CONNECTED);
    const single = await createApi(baseURL ?? '', 'staff');
    const one = await listTraders(single, CONNECTED);
    const foreign = all.data.find(({ id }) => !one.data.some((seen) => seen.id === id));
    const count = tradersList(page).tab('Connected');

    await page.goto(`/trader/${foreign?.id}`);
    const bar = page.getByRole('banner');
    await expect(bar.getByText('3 Providers', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Provider: All providers' }).click();
    await expect(page.getByRole('menuitemradio')).toHaveText([
      'All providers',
      ...me.organizations.map(({ name }) => name),
    ]);
    await expect(page.getByRole('menuitemradio', { name: 'All providers' })).toBeChecked();
    await page.getByRole('menuitemradio', { name: first?.name ?? '' }).click();

    // Not the trader, who is out of reach.
    await expect(page).toHaveURL('/');
    await page.goto('/?tab=connected');
    await expect(page.getByRole('button', { name: `Provider: ${first?.name}` })).toBeVisible();
    await expect(count).toContainText(String(one.meta.counts.connected));
    await page.goto(`/trader/${foreign?.id}`);
    await expect(page.getByRole('heading', { name: 'Trader Not Found' })).toBeVisible();
    // A saved address with a filter by another provider.
    await page.goto(`/?tab=connected&provider=${second?.id}`);
    await expect(count).toHaveText(/^Connected\s*0$/);

    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Open menu' }).click();
    const choice = page.getByRole('region', { name: 'Provider' });
    await expect(choice.getByRole('button', { pressed: true })).toHaveText(first?.name ?? '');
    await choice.getByRole('button', { name: 'All providers' }).click();
    await expect(page).toHaveURL('/');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/?tab=connected');
    await expect(count).toContainText(String(all.meta.counts.connected));

    await page.getByRole('button', { name: switcher }).click();
    await page.getByRole('menuitemradio', { name: first?.name ?? '' }).click();
    await expect(page.getByRole('button', { name: `Provider: ${first?.name}` })).toBeVisible();

    const superAdmin = await createApi(baseURL ?? '', 'super');
    const params = { id: me.id };
    const change = async (provider_access: { added?: string[]; removed?: string[] }) => {
      const { version } = (await superAdmin.call('GET /api/users/{id}', { params })).data;
      return superAdmin.call('PATCH /api/users/{id}', { params, body: { provider_access, version } });
    };
    const left = me.organizations.slice(0, 1).map(({ id }) => id);
    await change({ removed: left });
    try {
      // The stream of events says so at once.
      await expect(page.getByRole('button', { name: 'Provider: All providers' })).toBeVisible();
      await expect(bar.getByText('2 Providers', { exact: true })).toBeVisible();
    } finally {
      await change({ added: left });
    }
  });

  test('forget the provider when they sign out', async ({ page, context, baseURL }) => {
    // A session of its own: the others keep theirs.
    await context.clearCookies();
    await context.addCookies((await newSession(baseURL ?? '', 'staff-multi')).cookies);
    await page.goto('/');
    await page.getByRole('button', { name: switcher }).click();
    await page.getByRole('menuitemradio').nth(1).click();
    await expect(page.getByRole('button', { name: 'Provider: All providers' })).toBeHidden();
    await page.getByRole('button', { name: /account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect(page).toHaveURL('/sign-in');
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });
});
