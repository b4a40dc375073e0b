import { withoutNews } from './support/news.ts';
import { expect, FAILED_REQUEST, test } from './support/test.ts';
import { transactionHistory } from './support/transaction-history.ts';

const LIST = '**/api/sweep-operations/admin/all?*';

test.describe('when the server refuses', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  for (const [status, title, text] of [
    [403, 'Authentication Error', "You don't have permission to view this data."],
    [404, 'Connection Error', 'Unable to connect to the server.'],
  ] as const) {
    test(`${status} is requested once, and Retry loads the page again`, async ({ page }) => {
      let asked = 0;
      await withoutNews(page);
      await page.route(LIST, (route) => {
        asked += 1;
        return route.fulfill({ status, json: { success: false, error: 'refused', message: 'No' } });
      });
      await page.goto('/transaction-history');
      await expect(page.getByRole('alert').getByRole('heading')).toHaveText(title);
      await expect(page.getByRole('alert')).toContainText(text);
      expect(asked).toBe(1);
      await page.unroute(LIST);
      await Promise.all([
        page.waitForEvent('load'),
        page.getByRole('button', { name: 'Retry', exact: true }).click(),
      ]);
      await expect(transactionHistory(page).rows.first()).toBeVisible();
    });
  }

  test('any other failure is retried three times, then shown', async ({ page }) => {
    let asked = 0;
    await page.clock.install();
    await withoutNews(page);
    await page.route(LIST, (route) => {
      asked += 1;
      return route.fulfill({ status: 500, json: { success: false, error: 'x', message: 'It broke' } });
    });
    await page.goto('/transaction-history');
    const heading = page.getByRole('alert').getByRole('heading');
    // Three more attempts after 1, 2 and 4 seconds.
    await expect
      .poll(
        async () => {
          await page.clock.runFor(300);
          return heading.allInnerTexts();
        },
        { intervals: [50] },
      )
      .toEqual(['Error loading sweep operations']);
    await expect(page.getByRole('alert')).toContainText('It broke');
    expect(asked).toBe(4);
  });
});

test.describe('an answer that cannot be shown', () => {
  // React tells of every error that it caught.
  test.use({ expectedComplaint: /replaceAll|error/i });

  test('takes its own row with it and no other', async ({ page }) => {
    await page.route(LIST, async (route) => {
      const answer = await route.fetch();
      const json = await answer.json();
      json.data[1].recipient_type = null;
      json.data[2].status = '';
      await route.fulfill({ json });
    });
    await page.goto('/transaction-history');
    const { rows } = transactionHistory(page);
    await expect(rows.nth(1)).toHaveText('Error displaying operation data');
    await expect(rows.nth(2)).toContainText('unknown');
    await expect(rows.nth(0).getByRole('gridcell')).toHaveCount(7);
  });
});
