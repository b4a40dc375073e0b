import { formatCount, formatDate } from '@copydesk/domain/money';
import { listActive } from '../support/communities.ts';
import { withoutNews } from '../support/news.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';

test('the leaderboard has every active community, by rank', async ({ page, api }) => {
  const active = await listActive(api);
  await page.goto('/');
  await page.getByRole('link', { name: 'Communities' }).click();
  await expect(page).toHaveURL('/communities');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Communities');
  await expect(page.getByText(`${active.length} communities`, { exact: true })).toBeVisible();
  await expect(page.getByRole('columnheader')).toHaveText([
    'Rank',
    'Community',
    'Total AUM',
    'Traders',
    'Created',
    'Actions',
  ]);
  const rows = page.getByRole('table', { name: 'Communities by AUM' }).getByRole('row');
  await expect(rows).toHaveCount(active.length + 1);
  await expect(rows.nth(1).getByRole('cell').first()).toHaveText('1');
  for (const { name, trader_count = 0, created_at } of active) {
    const row = rows.filter({ has: page.getByRole('link', { name, exact: true }) });
    const cells = row.getByRole('cell');
    await expect(cells.nth(2)).toHaveText(/^\$[\d,]+$/);
    await expect(cells.nth(3)).toHaveText(formatCount(trader_count));
    await expect(cells.nth(4)).toHaveText(formatDate(created_at));
  }
});

test('the menu of a community leads to its settings, and Back to the list', async ({ page, api }) => {
  const [first] = await listActive(api);
  await page.goto('/communities');
  await page.getByRole('button', { name: `Actions for ${first?.name}` }).press('Enter');
  await page.getByRole('menuitem', { name: 'Settings' }).press('Enter');
  await expect(page).toHaveURL(`/community-settings/${first?.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(first?.name ?? '');
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page).toHaveURL('/communities');
});

test('while it loads it says so, and when there is nothing as well', async ({ page }) => {
  let answer: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/communities?*', async (route) => {
    await held;
    await route.fulfill({
      json: { success: true, data: [], meta: { totals_at: '2026-01-01T00:00:00.000Z' } },
    });
  });
  await page.goto('/communities');
  await expect(page.getByText('Loading communities data...')).toBeVisible();
  answer();
  await expect(page.getByRole('heading', { name: 'No communities found' })).toBeVisible();
});

test('at phone width each community is a card', async ({ page, api }) => {
  const active = await listActive(api);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/communities');
  const cards = page.getByRole('list', { name: 'Communities by AUM' }).getByRole('listitem');
  await expect(cards).toHaveCount(active.length);
  await expect(cards.first()).toContainText('Total AUM');
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
});

test.describe('when it fails', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('the leaderboard says why, and tries again', async ({ page, api }) => {
    const [first] = await listActive(api);
    await withoutNews(page);
    await page.route('**/api/communities?*', (route) =>
      route.fulfill({
        status: 503,
        json: { success: false, error: 'unavailable', message: 'The service is not available' },
      }),
    );
    await page.goto('/communities');
    await expect(page.getByRole('alert')).toContainText('The service is not available');
    await page.unroute('**/api/communities?*');
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('link', { name: first?.name ?? '', exact: true })).toBeVisible();
  });
});

test.describe('for staff', () => {
  test.use({ persona: 'staff' });

  test('it has the communities and traders of their provider, and no settings', async ({ page, api }) => {
    const own = await listActive(api);
    await page.goto('/communities');
    const rows = page.getByRole('table', { name: 'Communities by AUM' }).getByRole('row');
    await expect(rows).toHaveCount(own.length + 1);
    for (const { name, trader_count = 0 } of own) {
      const row = rows.filter({ hasText: name });
      await expect(row.getByRole('cell').nth(3)).toHaveText(formatCount(trader_count));
    }
    await expect(page.getByRole('table').getByRole('link')).toHaveCount(0);
    await page.getByRole('button', { name: `Actions for ${own[0]?.name}` }).click();
    await expect(page.getByRole('menuitem', { name: 'Settings' })).toBeDisabled();
  });

  test('the settings are denied without a request', async ({ page, api }) => {
    const [first] = await listActive(api);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`/community-settings/${first?.id}`);
    await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
    expect(asked.filter((url) => url.includes(`${first?.id}?`))).toEqual([]);
    await page.getByRole('button', { name: 'Back' }).click();
    await expect(page).toHaveURL('/communities');
  });
});
