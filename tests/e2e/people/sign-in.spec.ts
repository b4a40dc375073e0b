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
const menu = (of: Page, person: string) => of.getByRole('button', { name: `account of ${person}` });

async function signOut(page: Page) {
  await page.getByRole('button', { name: /account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(heading(page, 'Sign in to Copydesk')).toBeVisible();
}

test.describe('with a wrong password first', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('signs in where one was, signs out, and going back shows nothing', async ({ page }) => {
    await page.goto('/?tab=connected&search=KAIT-1001&sort=reference_number');
    await expect(page).toHaveURL(/\/sign-in\?from=/);
    await expect(page).toHaveTitle('Sign in · Copydesk');
    for (const email of ['super@demo.example', 'nobody@demo.example']) {
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Password').fill('not the password');
      await page.getByLabel('Password').press('Enter');
      // The same for an unknown address.
      await expect(page.getByRole('alert')).toHaveText('Invalid email or password');
      await expect(page).toHaveURL(/\/sign-in/);
    }
    await choose(page, 'Super admin');
    await expect(page).toHaveURL('/?tab=connected&search=KAIT-1001&sort=reference_number');
    await expect(page.getByRole('searchbox')).toHaveValue('KAIT-1001');
    await expect(heading(page, 'Traders')).toBeVisible();
    await page.getByRole('tab', { name: 'Inbox' }).click();
    await signOut(page);
    await expect(page).toHaveURL('/sign-in');
    await page.goBack();
    await expect(page).toHaveURL(/\/sign-in/);
    await expect(page.getByRole('grid')).toHaveCount(0);
  });
});

test('every persona signs in with one click, and one without the admin flag leaves the console', async ({
  page,
}) => {
  await page.goto('/sign-in');
  for (const [persona, shown] of [
    ['Staff of one provider', 'Traders'],
    ['Staff of three providers', 'Traders'],
    ['Admin with no provider access', 'No Provider Access'],
  ] as const) {
    await choose(page, persona);
    await expect(page).toHaveURL('/');
    await expect(heading(page, shown)).toBeVisible();
    await signOut(page);
  }
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.route(`${EXTERNAL_URL}**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: 'Members' }),
  );
  await choose(page, 'Signed-in without the admin flag');
  await expect(page).toHaveURL(EXTERNAL_URL);
  expect(asked.filter((path) => path.startsWith('/api/traders'))).toEqual([]);
});

test('what happens in one tab holds for the other: it never acts for another person than it shows', async ({
  page,
  context,
}) => {
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
