import { embeddedOnly, isHosted } from '../support/identity-mode.ts';
import { expect, test } from '../support/test.ts';
import { tradersList } from '../support/traders-list.ts';

const isDark = 'document.documentElement.classList.contains("dark")';
const stored = 'localStorage.getItem("darkMode")';

test('an unknown path leads to the Traders list', async ({ page }) => {
  await page.goto('/no/such/screen?x=1');
  await expect(page).toHaveURL('/');
  await expect(tradersList(page).rows.first()).toBeVisible();
});

test('dark mode follows the system until chosen, and the choice is kept under darkMode', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Switch to light mode' })).toBeVisible();
  expect(await page.evaluate(isDark)).toBe(true);
  expect(await page.evaluate(stored)).toBeNull();
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(() => page.evaluate(isDark)).toBe(false);

  await page.getByRole('button', { name: 'Switch to dark mode' }).click();
  expect(await page.evaluate(isDark)).toBe(true);
  expect(await page.evaluate(stored)).toBe('true');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Switch to light mode' })).toBeVisible();
  expect(await page.evaluate(isDark)).toBe(true);
  await page.getByRole('button', { name: 'Switch to light mode' }).click();
  expect(await page.evaluate(stored)).toBe('false');
  expect(await page.evaluate(isDark)).toBe(false);
});

test('the user menu names the person and works by keyboard', async ({ page }) => {
  await page.goto('/');
  const button = page.getByRole('button', { name: /account of Super admin/ });
  await button.focus();
  await button.press('Enter');
  const menu = page.getByRole('menu');
  await expect(menu).toContainText('super@demo.example');
  // At the service, the second factor is a part of the profile.
  const factor = isHosted ? [] : [/Two-factor authentication\s*Off/];
  await expect(menu.getByRole('menuitem')).toHaveText(['Profile', ...factor, 'Sign out']);
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(button).toBeFocused();
});

test('two-factor authentication asks for the password first, and Escape leaves it as it was', async ({
  page,
}) => {
  embeddedOnly('The second factor is on the page of the service');
  await page.goto('/');
  await page.getByRole('button', { name: /account of/ }).click();
  await page.getByRole('menuitem', { name: /Two-factor/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Two-factor authentication' });
  await expect(dialog.getByLabel('Password')).toBeFocused();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText('Required')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

test('the first stop of the Tab key skips to the content', async ({ page }) => {
  await page.goto('/');
  await expect(tradersList(page).rows.first()).toBeVisible();
  await page.keyboard.press('Tab');
  const skip = page.getByRole('button', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});

test.describe('without a connection', () => {
  // What the browser says of the requests that it cannot make.
  test.use({ expectedComplaint: /^Failed to load resource|Failed to fetch|OfflineError|net::ERR/ });

  test('a screen that was not loaded yet says so, and opens once the connection is back', async ({
    page,
    context,
  }) => {
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await context.setOffline(true);
    try {
      await page.getByRole('link', { name: 'Transaction History' }).click();
      await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible();
      await expect(page).toHaveURL('/transaction-history');
      await page.getByRole('button', { name: 'Try Again' }).click();
      await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible();
    } finally {
      await context.setOffline(false);
    }
    await expect(page.getByRole('heading', { name: 'Transaction History', level: 1 })).toBeVisible();
  });
});

test.describe('at phone width', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('the menu opens, closes with Escape, and leads on', async ({ page }) => {
    await page.goto('/');
    await tradersList(page).rows.first().click();
    await expect(page).toHaveURL(/\/trader\//);
    const link = page.getByRole('link', { name: 'Traders', exact: true });
    await expect(link).toBeHidden();
    await page.getByRole('button', { name: 'Open menu' }).click();
    await expect(page.getByRole('button', { name: 'Close menu' })).toHaveAttribute('aria-expanded', 'true');
    await link.focus();
    await page.keyboard.press('Escape');
    await expect(link).toBeHidden();
    await page.getByRole('button', { name: 'Open menu' }).click();
    await link.click();
    await expect(page).toHaveURL('/');
    await expect(link).toBeHidden();
  });

  test('nothing scrolls sideways', async ({ page }) => {
    await page.goto('/?tab=connected');
    await expect(tradersList(page).rows.first()).toBeVisible();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });
});

test.describe('when the server cannot identify the person', () => {
  // React reports what a boundary caught.
  test.use({ expectedComplaint: /^(Failed to load resource|ApiError: Network error)/ });

  test('the crash screen says so and can be refreshed', async ({ page }) => {
    await page.goto('/?tab=connected');
    await page.route('**/api/me', (route) => route.fulfill({ status: 500, body: 'proxy error' }));
    await page.reload();
    await expect(page.getByRole('heading')).toHaveText('Something went wrong');
    await expect(page.getByRole('alert').getByRole('paragraph')).toHaveText(
      'An unexpected error occurred. Please try refreshing the page or go back to the previous page.',
    );
    await page.getByText('Show error details').click();
    await expect(page.getByText(/The server answered with status 500/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Go Back' })).toBeVisible();
    await page.unroute('**/api/me');
    await page.getByRole('button', { name: 'Refresh Page' }).click();
    await expect(tradersList(page).rows.first()).toBeVisible();
  });

  test('"Go Back" leads to the previous page', async ({ page }) => {
    await page.goto('/?tab=delinquent');
    await expect(tradersList(page).rows.first()).toBeVisible();
    await page.route('**/api/config', (route) => route.abort());
    await page.goto('/?tab=connected');
    const goBack = page.getByRole('button', { name: 'Go Back' });
    await expect(goBack).toBeVisible();
    await page.unroute('**/api/config');
    await goBack.click();
    await expect(page).toHaveURL('/?tab=delinquent');
  });
});
