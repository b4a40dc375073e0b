import { expectAccessible } from '../support/accessibility.ts';
import { withoutNews } from '../support/news.ts';
import { answerPools, somePool } from '../support/pools.ts';
import { superAdminScreen } from '../support/super-admin.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';

test.use({ viewport: { width: 1440, height: 1400 } });

test.describe('refusals', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('a global start that is refused names every pool in its way, and nothing is announced', async ({
    page,
  }) => {
    const pools = [somePool(0, 'stopped'), somePool(1, 'stopped')];
    const { harvest } = superAdminScreen(page);
    await withoutNews(page);
    await answerPools(page, pools);
    await page.goto('/super-admin');
    await expect(harvest.getByRole('button', { name: 'Stop Global Harvest' })).toHaveCount(0);
    await harvest.getByRole('button', { name: 'Start Global Harvest' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('Notify owners to withdraw manually');
    await page.route('**/api/pooled-accounts/global/harvest', (route) =>
      route.fulfill({
        status: 409,
        json: {
          success: false,
          error: 'open_positions_exist',
          message: 'Positions or orders are still open on the exchange. Close them first.',
          details: [{ path: pools[1]?.id, message: `${pools[1]?.community.name}: 2 positions, 0 orders` }],
        },
      }),
    );
    await dialog.getByRole('button', { name: 'Start Global Harvest' }).click();
    await expect(dialog.getByRole('alert')).toContainText('Close them first. Nothing has changed.');
    await expect(dialog.getByRole('list', { name: 'Pools that stand in the way' })).toHaveText(
      `${pools[1]?.community.name}: 2 positions, 0 orders`,
    );
    await expect(page.getByText('Global harvest starting')).toHaveCount(0);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  });
});

test('an accepted start says that it begins, and a run says what failed and what is retried', async ({
  page,
}) => {
  const failed = somePool(0, 'failed');
  const { harvest } = superAdminScreen(page);
  await withoutNews(page);
  await answerPools(page, [failed, somePool(1, 'stopped')]);
  const run = {
    id: failed.id,
    action: 'start',
    goal: 'start',
    requested_by: 'ada@example.com',
    at: '2026-01-22T14:02:05.000Z',
    state: 'done_with_failures',
    pools: 1,
    counts: { moving: 0, awaiting: 0, done: 0, failed: 1 },
    failed: [{ pool_id: failed.id, community: failed.community.name, reason: 'deadline_passed' }],
  };
  await page.route('**/api/pooled-accounts/global/harvest/status', async (route) => {
    const { json } = { json: await (await route.fetch()).json() };
    await route.fulfill({
      json: {
        success: true,
        data: {
          ...json.data,
          status: 'mixed',
          actions: ['start'],
          counts: { ...json.data.counts, failed: 1, stopped: 1 },
          last_run: run,
        },
      },
    });
  });
  let sent: unknown;
  await page.route('**/api/pooled-accounts/global/harvest', (route) => {
    sent = route.request().postDataJSON();
    expect(route.request().headers()['idempotency-key']).toBeTruthy();
    return route.fulfill({ json: { success: true, data: { ...run, state: 'running', failed: [] } } });
  });
  await page.goto('/super-admin');
  await expect(harvest).toContainText('Global start by ada@example.com');
  await expect(harvest).toContainText(`${failed.community.name}: The deadline passed.`);
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 1400 });
  await harvest.getByRole('button', { name: 'Retry failed pools' }).click();
  await expect(page.getByRole('dialog')).toContainText(failed.community.name);
  await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
  await harvest.getByRole('button', { name: 'Start Global Harvest' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start Global Harvest' }).click();
  await expect(page.getByText('Global harvest starting').first()).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(sent).toEqual({ action: 'start' });
});
