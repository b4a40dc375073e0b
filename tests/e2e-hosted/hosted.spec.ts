import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from '../e2e/support/accessibility.ts';
import { EXTERNAL_URL } from '../e2e/support/demo-world.ts';
import { prepareBundles } from './support/bundles.ts';
import { type HostedProduct, startHostedProduct } from './support/hosted-product.ts';

let world: HostedProduct;
test.beforeAll(async () => {
  test.setTimeout(180_000);
  const bundles = prepareBundles();
  test.skip(
    bundles === null,
    'The registry in use does not have the scripts of the service, or cannot be reached',
  );
  if (bundles) world = await startHostedProduct(bundles);
});
test.afterAll(() => world?.stop());
test.beforeEach(() => world?.front.breaks(null));

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const proceed = (page: Page) => page.getByRole('button', { name: 'Continue', exact: true }).click();

/** Fills the forms of the service. */
async function signIn(page: Page, { email, password }: { email: string; password: string }, code?: string) {
  await page.goto(`${world.url}/sign-in`);
  await page.getByLabel('Email address').fill(email);
  await proceed(page);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await proceed(page);
  if (code !== undefined) await page.getByLabel('Enter verification code').first().pressSequentially(code);
}

const sessionOf = (userId: string) => {
  const open = [...world.clerk.instance.state.sessions.values()].filter(
    (one) => one.userId === userId && one.status === 'active',
  );
  const session = open.at(-1);
  if (!session) throw new Error(`${userId} has not signed in`);
  return session;
};

test('a super admin signs in, sees no error of a policy, and signs out', async ({ page }) => {
  const problems: string[] = [];
  const hosts = new Set<string>();
  page.on('console', (message) => void (message.type() === 'error' && problems.push(message.text())));
  page.on('pageerror', (error) => void problems.push(String(error)));
  page.on('request', (request) => void hosts.add(new URL(request.url()).origin));
  const person = world.person({ super: true }, { firstName: 'Vera' });
  await signIn(page, person);
  await expect(heading(page, 'Traders')).toBeVisible();
  expect(problems).toEqual([]);
  expect([...hosts].filter((origin) => /^https?:/.test(origin))).toEqual([world.url]);
  await page.getByRole('button', { name: /account of Vera/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByLabel('Email address')).toBeVisible();
  expect(() => sessionOf(person.id)).toThrow();
  await page.goto(`${world.url}/invoices`);
  await expect(page.getByLabel('Email address')).toBeVisible();
});

test('a wrong password and an unknown address are refused in the form', async ({ page }) => {
  const person = world.person({ admin: true });
  await signIn(page, { ...person, password: 'not the password' });
  await expect(page.getByText(/Password is incorrect/).first()).toBeVisible();
  await page.goto(`${world.url}/sign-in`);
  await page.getByLabel('Email address').fill('unknown@people.example');
  await proceed(page);
  await expect(page.getByText(/Couldn't find your account/).first()).toBeVisible();
});

test('the forms can be used by everyone', async ({ page }) => {
  await page.goto(`${world.url}/sign-in`);
  await expect(page.getByLabel('Email address')).toBeVisible();
  await expectAccessible(page);
});

test('a person with an authenticator app needs its code', async ({ page }) => {
  const person = world.person({ super: true }, { code: '123456' });
  await signIn(page, person, '123456');
  await expect(heading(page, 'Traders')).toBeVisible();
  expect(sessionOf(person.id).secondFactorAt).not.toBeNull();
});

test('a person without the admin flag is sent away', async ({ page }) => {
  await page.route(`${EXTERNAL_URL}**`, (route) => route.fulfill({ body: 'Members' }));
  await signIn(page, world.person({}));
  await expect(page).toHaveURL(EXTERNAL_URL);
});

test('a person without an invitation sees the reason, and can leave', async ({ page }) => {
  const person = world.person({ super: true }, { isProven: false });
  await signIn(page, person);
  await expect(heading(page, 'No access')).toBeVisible();
  await expect(page.getByText(/A super admin has to invite you/)).toBeVisible();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByLabel('Email address')).toBeVisible();
});

test('a session that ends at the service ends on the screen', async ({ page }) => {
  const person = world.person({ super: true });
  await signIn(page, person);
  await expect(heading(page, 'Traders')).toBeVisible();
  world.clerk.instance.endSession(sessionOf(person.id).id, 'revoked');
  // No click: the stream of events has ended, and its renewal is refused.
  await expect(page.getByLabel('Email address')).toBeVisible({ timeout: 30_000 });
});

test('an act that needs a recent proof asks in the dialog of the service, and can be declined', async ({
  page,
}) => {
  const person = world.person({ super: true }, { code: '654321' });
  await signIn(page, person, '654321');
  await expect(heading(page, 'Traders')).toBeVisible();
  const session = sessionOf(person.id);
  session.secondFactorAt = Date.now() - 11 * 60_000;
  await page.goto(`${world.url}/people`);
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog').first();
  await dialog.getByLabel('E-mail').fill('guest@people.example');
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  const code = page.getByLabel('Enter verification code').first();
  await expect(code).toBeVisible();
  await page.getByRole('button', { name: 'Close modal' }).click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  expect(world.clerk.instance.state.invitations.size).toBe(0);

  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  await code.pressSequentially('654321');
  await expect(page.getByText('guest@people.example').first()).toBeVisible();
  expect([...world.clerk.instance.state.invitations.values()].map(({ email }) => email)).toEqual([
    'guest@people.example',
  ]);
});

test('a request for access and the plans have addresses of their own', async ({ page }) => {
  await page.goto(`${world.url}/sign-in#/waitlist`);
  await page.getByLabel('Email address').fill('hopeful@people.example');
  await page.getByRole('button', { name: /join the waitlist/i }).click();
  await expect(page.getByText(/thanks for joining/i)).toBeVisible();
  expect([...world.clerk.instance.state.waitlist.values()].map(({ email }) => email)).toEqual([
    'hopeful@people.example',
  ]);
  await page.goto(`${world.url}/sign-in#/pricing`);
  await expect(heading(page, 'Pricing')).toBeVisible();
  await expect(page.getByText('$199').first()).toBeVisible();
  await page.getByRole('link', { name: 'Back to sign in' }).click();
  await expect(page.getByLabel('Email address')).toBeVisible();
});

test('the profile is that of the service', async ({ page }) => {
  const person = world.person({ super: true });
  await signIn(page, person);
  await expect(heading(page, 'Traders')).toBeVisible();
  await page.goto(`${world.url}/profile`);
  await expect(heading(page, 'Profile')).toBeVisible();
  await expect(page.getByText(person.email).first()).toBeVisible();
});

test('without the scripts of the service an error shows after ten seconds', async ({ page }) => {
  world.front.breaks('scripts');
  await page.goto(`${world.url}/`);
  await expect(heading(page, 'Something went wrong')).toBeVisible({ timeout: 12_000 });
  world.front.breaks(null);
  await page.getByRole('button', { name: 'Refresh Page' }).click();
  await expect(page.getByLabel('Email address')).toBeVisible();
});

test('a service that is away does not sign a person out', async ({ page }) => {
  await signIn(page, world.person({ super: true }));
  await expect(heading(page, 'Traders')).toBeVisible();
  world.front.breaks('service');
  // The token at hand works on.
  await page.getByRole('link', { name: 'Invoices' }).click();
  await expect(heading(page, 'Invoices')).toBeVisible();
  await page.reload();
  await expect(heading(page, 'Something went wrong')).toBeVisible({ timeout: 25_000 });
  world.front.breaks(null);
  await page.getByRole('button', { name: 'Refresh Page' }).click();
  await expect(heading(page, 'Invoices')).toBeVisible();
});
