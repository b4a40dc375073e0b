import { expectAccessible } from './support/accessibility.ts';
import { expect, FAILED_REQUEST, test } from './support/test.ts';
import { pickTrader, tradersList } from './support/traders-list.ts';

test.describe.configure({ timeout: 40_000 });

test('the Traders list', async ({ page }) => {
  await page.goto('/?tab=connected&exchange=bybit');
  await expect(tradersList(page).rows.first()).toBeVisible();
  await expectAccessible(page);
});

test('the Traders list without a match', async ({ page }) => {
  await page.goto('/?search=nobody-has-this');
  await expect(page.getByRole('heading', { name: 'No traders found' })).toBeVisible();
  await expectAccessible(page);
});

test('an open filter', async ({ page }) => {
  await page.goto('/?tab=connected');
  await tradersList(page).filter('Community').click();
  await expect(page.getByRole('option').first()).toBeVisible();
  await expectAccessible(page);
});

test('the user menu', async ({ page }) => {
  await page.goto('/');
  await expect(tradersList(page).rows.first()).toBeVisible();
  await page.getByRole('button', { name: /account of/ }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expectAccessible(page);
});

test('the dialog of two-factor authentication', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: /account of/ }).click();
  await page.getByRole('menuitem', { name: /Two-factor/ }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page);
});

test('a trader', async ({ page, api }) => {
  const trader = await pickTrader(api, { tab: 'connected' });
  await page.goto(`/trader/${trader.id}`);
  await expect(page.getByRole('heading', { name: 'User Information' })).toBeVisible();
  await expectAccessible(page);
});

test.describe('signed out', () => {
  test.use({ persona: null });

  test('the sign-in page', async ({ page }) => {
    await page.goto('/sign-in');
    await expect(page.getByRole('button', { name: 'Super admin' })).toBeVisible();
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page.getByText('Required')).toHaveCount(2);
    await expectAccessible(page);
  });
});

test.describe('without providers', () => {
  test.use({ persona: 'no-access' });

  test('the banner', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'No Provider Access' })).toBeVisible();
    await expectAccessible(page);
  });
});

test.describe('when the server fails', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('the Traders list', async ({ page }) => {
    await page.route('**/api/traders?*', (route) => route.fulfill({ status: 503, json: {} }));
    await page.goto('/');
    await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
    await expectAccessible(page);
  });

  test('the crash screen', async ({ page }) => {
    await page.route('**/api/me', (route) => route.fulfill({ status: 500, json: {} }));
    await page.goto('/');
    await page.getByText('Show error details').click();
    await expectAccessible(page);
  });
});
