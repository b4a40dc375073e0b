import { expect, test } from '../support/test.ts';
import { tradersList } from '../support/traders-list.ts';

const isDark = 'document.documentElement.classList.contains("dark")';
const stored = 'localStorage.getItem("darkMode")';

// The rest of the frame is in its component test.
test('dark mode follows the system until chosen, and the choice is kept under darkMode', async ({
  page,
  api,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/?tab=connected');
  await expect(page.getByRole('button', { name: 'Switch to light mode' })).toBeVisible();
  expect(await page.evaluate(isDark)).toBe(true);
  expect(await page.evaluate(stored)).toBeNull();
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(() => page.evaluate(isDark)).toBe(false);

  const saved = page.waitForResponse('**/api/me/settings');
  await page.getByRole('button', { name: 'Switch to dark mode' }).click();
  expect(await page.evaluate(isDark)).toBe(true);
  expect(await page.evaluate(stored)).toBe('true');
  expect((await saved).status()).toBe(200);
  // Another browser of this person has it as well, and remembers nothing yet.
  await page.evaluate('localStorage.removeItem("darkMode")');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Switch to light mode' })).toBeVisible();
  expect(await page.evaluate(isDark)).toBe(true);
  await page.getByRole('button', { name: 'Switch to light mode' }).click();
  expect(await page.evaluate(stored)).toBe('false');
  expect(await page.evaluate(isDark)).toBe(false);
  await expect.poll(async () => (await api.call('GET /api/me')).data.settings.theme).toBe('light');
  await api.call('PATCH /api/me/settings', { body: { theme: 'system' } });

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(tradersList(page).rows.first()).toBeVisible();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
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

  test('the list stays while what is loaded beside it cannot be, and that is tried again', async ({
    page,
  }) => {
    await page.route(/beside-screens-|attention-count-/, (route) => route.abort());
    const failed = page.waitForEvent('requestfailed');
    await page.goto('/');
    await failed;
    await expect(tradersList(page).rows.first()).toBeVisible();
    await page.unroute(/beside-screens-|attention-count-/);
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
  });
});

test.describe('when the server cannot identify the person', () => {
  // React reports what a boundary caught.
  test.use({ expectedComplaint: /^(Failed to load resource|ApiError: Network error)/ });

  test('the crash screen says so, can be refreshed, and leads back to the previous page', async ({
    page,
  }) => {
    await page.goto('/?tab=delinquent');
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

    // A server that is just starting again is asked again.
    let answers = 0;
    await page.route('**/api/config', (route) => {
      answers += 1;
      return answers < 3 ? route.fulfill({ status: 503, body: 'starting' }) : route.continue();
    });
    await page.reload();
    await expect(tradersList(page).rows.first()).toBeVisible();
    expect(answers).toBe(3);
    await page.unroute('**/api/config');

    await page.route('**/api/config', (route) => route.abort());
    await page.reload();
    const goBack = page.getByRole('button', { name: 'Go Back' });
    await expect(goBack).toBeVisible();
    await page.unroute('**/api/config');
    await goBack.click();
    await expect(page).toHaveURL('/?tab=delinquent');
  });
});
