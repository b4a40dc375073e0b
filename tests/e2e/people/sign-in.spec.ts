import type { Page } from '@playwright/test';
import { EXTERNAL_URL } from '../support/demo-world.ts';
import { embeddedOnly } from '../support/identity-mode.ts';
import { sessionOf } from '../support/sessions.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';

embeddedOnly('The forms and the one click are ours; those of the service have tests in tests/e2e-hosted');
test.use({ persona: null });

const choose = (page: Page, persona: string) =>
  page.getByRole('button', { name: persona, exact: true }).click();
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

test('a signed-out person gets the sign-in page, without a refused request', async ({ page }) => {
  await page.goto('/');
  await expect(page).toHaveURL('/sign-in');
  await expect(heading(page, 'Sign in to Copydesk')).toBeVisible();
  await expect(page).toHaveTitle('Sign in · Copydesk');
});

for (const [persona, shown] of [
  ['Super admin', 'Traders'],
  ['Staff of one provider', 'Traders'],
  ['Staff of three providers', 'Traders'],
  ['Admin with no provider access', 'No Provider Access'],
] as const) {
  test(`signs in as ${persona} with one click`, async ({ page }) => {
    await page.goto('/sign-in');
    await choose(page, persona);
    await expect(page).toHaveURL('/');
    await expect(heading(page, shown)).toBeVisible();
  });
}

test('what happens in one tab holds for the other: it never acts for another person than it shows', async ({
  page,
  context,
}) => {
  const menu = (of: Page, person: string) => of.getByRole('button', { name: `account of ${person}` });
  await page.goto('/sign-in');
  await choose(page, 'Super admin');
  await expect(menu(page, 'Super admin')).toBeVisible();
  const second = await context.newPage();
  try {
    await second.goto('/');
    await menu(second, 'Super admin').click();
    await second.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect(heading(second, 'Sign in to Copydesk')).toBeVisible();
    await expect(heading(page, 'Sign in to Copydesk')).toBeVisible();
    await choose(second, 'Staff of one provider');
    await expect(menu(second, 'Staff of one provider')).toBeVisible();
    await page.reload();
    await expect(menu(page, 'Staff of one provider')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Super Admin' })).toHaveCount(0);
    // Another person signs in over the one whom the first tab shows.
    const cookies = (await sessionOf(new URL(page.url()).origin, 'super')).cookies;
    await context.addCookies(cookies);
    await second.goto('/');
    await expect(menu(second, 'Super admin')).toBeVisible();
    await expect(menu(page, 'Super admin')).toBeVisible();
  } finally {
    await second.close();
  }
});

test.describe('hours later', () => {
  // Time that jumps ends requests under way.
  test.use({ expectedComplaint: /did not answer within/ });

  test('ten minutes before a session ends without an input the page says so, and an input renews it', async ({
    page,
  }) => {
    await page.clock.install();
    await page.goto('/sign-in');
    await choose(page, 'Super admin');
    await expect(heading(page, 'Traders')).toBeVisible();
    const notice = page.getByRole('status').filter({ hasText: 'You will be signed out in' });
    await page.clock.fastForward('01:40:00');
    await expect(notice).toHaveCount(0);
    await page.clock.fastForward('00:12:00');
    await expect(notice).toContainText('You will be signed out in 8 minutes');
    await notice.getByRole('button', { name: 'Stay signed in' }).click();
    await page.clock.fastForward(4_000);
    await expect(notice).toHaveCount(0);
  });
});

test('a person without the admin flag is sent to the external page', async ({ page }) => {
  await page.route(`${EXTERNAL_URL}**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: 'Members' }),
  );
  await page.goto('/sign-in');
  await choose(page, 'Signed-in without the admin flag');
  await expect(page).toHaveURL(EXTERNAL_URL);
});

test('returns to where one was, filters included', async ({ page }) => {
  await page.goto('/?tab=connected&search=KAIT-1001&sort=reference_number');
  await expect(page).toHaveURL(/\/sign-in\?from=/);
  await choose(page, 'Super admin');
  await expect(page).toHaveURL('/?tab=connected&search=KAIT-1001&sort=reference_number');
  await expect(page.getByRole('searchbox')).toHaveValue('KAIT-1001');
});

test('never returns to another site', async ({ page }) => {
  await page.goto(`/sign-in?from=${encodeURIComponent('//evil.example/')}`);
  await choose(page, 'Super admin');
  await expect(page).toHaveURL('/');
});

test('an empty form names the missing fields and focuses the first', async ({ page }) => {
  await page.goto('/sign-in');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('Required')).toHaveCount(2);
  await expect(page.getByLabel('E-mail')).toBeFocused();
  await page.getByLabel('E-mail').fill('somebody');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('Enter an e-mail address')).toBeVisible();
});

test.describe('with a wrong password', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('shows one error, the same for an unknown address', async ({ page }) => {
    await page.goto('/sign-in');
    for (const email of ['super@demo.example', 'nobody@demo.example']) {
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Password').fill('not the password');
      await page.getByLabel('Password').press('Enter');
      await expect(page.getByRole('alert')).toHaveText('Invalid email or password');
      await expect(page).toHaveURL('/sign-in');
    }
  });
});

test('a signed-out visitor of the forgotten-password page finds the way back', async ({ page }) => {
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page).toHaveURL('/sign-in#/forgot');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await page.getByRole('link', { name: 'Back to sign in' }).click();
  await expect(heading(page, 'Sign in to Copydesk')).toBeVisible();
});

test('signing out ends the session, and going back shows nothing', async ({ page }) => {
  await page.goto('/sign-in');
  await choose(page, 'Super admin');
  await expect(heading(page, 'Traders')).toBeVisible();
  await page.getByRole('tab', { name: 'Connected' }).click();
  await page.getByRole('button', { name: /account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/sign-in');
  await expect(heading(page, 'Sign in to Copydesk')).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\/sign-in/);
  await expect(page.getByRole('grid')).toHaveCount(0);
});
