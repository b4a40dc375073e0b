import type { CallAnswer } from '@copydesk/contract';
import { expectAccessible } from '../support/accessibility.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';

type Withdrawal = CallAnswer<'POST /api/pool-owner/withdrawal'>['data'];
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const words: Withdrawal['words'] = {
  title: 'Withdrawal from the pool of Alpha Traders',
  ask: 'Please withdraw all USDT from its Bybit account, about 1000.00 USDT, to this address:',
  all: 'Please withdraw everything, only USDT, and only over this network.',
  report: 'I have withdrawn everything',
  reported: 'Thank you. The account at Bybit is being checked.',
  over: 'No withdrawal is needed from this pool at present.',
};

test('an owner without an account reports a withdrawal by the link of a message', async ({ page }) => {
  const shown: Withdrawal = { language: 'en', state: 'awaited', amount: '1000', address: ADDRESS, words };
  const tokens: unknown[] = [];
  await page.route('**/api/pool-owner/withdrawal**', (route) => {
    tokens.push(route.request().postDataJSON());
    if (route.request().url().endsWith('/done')) shown.state = 'reported';
    return route.fulfill({ json: { success: true, data: shown } });
  });
  await page.goto('/pool-owner#a-token');
  await expect(page.getByRole('heading', { name: words.title })).toBeVisible();
  await expect(page.getByText(ADDRESS)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: words.report }).click();
  await expect(page.getByText(words.reported)).toBeVisible();
  await expectAccessible(page);
  expect(tokens).toEqual([{ token: 'a-token' }, { token: 'a-token' }]);
});

test('the page reads from right to left in Arabic, and says when nothing is awaited', async ({ page }) => {
  const over = 'لا حاجة إلى سحب أي مبلغ من هذه المحفظة حاليًا.';
  await page.route('**/api/pool-owner/withdrawal', (route) =>
    route.fulfill({
      json: {
        success: true,
        data: { language: 'ar', state: 'over', amount: null, address: null, words: { ...words, over } },
      },
    }),
  );
  await page.goto('/pool-owner#a-token');
  await expect(page.getByText(over)).toBeVisible();
  await expect(page.locator('[lang="ar"]')).toHaveAttribute('dir', 'rtl');
  await expectAccessible(page);
});

test.describe('refused', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('a link that was not made here shows nothing', async ({ page }) => {
    await page.goto('/pool-owner#made-up');
    await expect(page.getByRole('heading', { name: 'Nothing to report here' })).toBeVisible();
    await expect(page.getByText('This link is invalid or no longer used')).toBeVisible();
    await expectAccessible(page);
  });
});
