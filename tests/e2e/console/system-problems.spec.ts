import { expectAccessible } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';

// The worker of a running product is alive; what the server says when it is not is tested there (tests/start).
const PROBLEM =
  'No worker has reported in the last minute. Accounts are not read, and nothing is invoiced, sent or paid out. Start a worker.';
const answer = {
  success: true,
  data: {
    status: 'degraded',
    database: true,
    migrations: true,
    writes: true,
    workers: 0,
    audit: 'unchecked',
    problems: [PROBLEM],
  },
};

test.describe('a super admin', () => {
  test.use({ persona: 'super' });

  test('reads above every screen that no worker runs, and nothing when all is well', async ({ page }) => {
    await page.route('**/api/ready', (route) => route.fulfill({ json: answer }));
    await page.goto('/communities');
    await expect(page.getByRole('status').filter({ hasText: PROBLEM })).toBeVisible();
    await expectAccessible(page);
    await page.unroute('**/api/ready');
    const ready = page.waitForResponse('**/api/ready');
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await ready;
    await expect(page.getByText(PROBLEM)).toHaveCount(0);
  });
});

test.describe('staff', () => {
  test.use({ persona: 'staff' });

  test('is not bothered with it', async ({ page }) => {
    await page.route('**/api/ready', (route) => route.fulfill({ json: answer }));
    await page.goto('/communities');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText(PROBLEM)).toHaveCount(0);
  });
});
