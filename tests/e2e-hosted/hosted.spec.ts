import { expectAccessible } from '../e2e/support/accessibility.ts';
import { EXTERNAL_URL } from '../e2e/support/demo-world.ts';
import { expect, heading, proceed, sessionOf, signIn, test } from './support/hosted-test.ts';

test('a super admin signs in, sees no error of a policy, and signs out', async ({ page, world }) => {
  const problems: string[] = [];
  const hosts = new Set<string>();
  page.on('console', (message) => void (message.type() === 'error' && problems.push(message.text())));
  page.on('pageerror', (error) => void problems.push(String(error)));
  page.on('request', (request) => void hosts.add(new URL(request.url()).origin));
  const person = world.person({ super: true }, { firstName: 'Vera' });
  await signIn(page, world, person);
  await expect(heading(page, 'Traders')).toBeVisible();
  expect(problems).toEqual([]);
  expect([...hosts].filter((origin) => /^https?:/.test(origin))).toEqual([world.url]);
  await page.getByRole('button', { name: /account of Vera/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByLabel('Email address')).toBeVisible();
  expect(() => sessionOf(world, person.id)).toThrow();
  await page.goto(`${world.url}/invoices`);
  await expect(page.getByLabel('Email address')).toBeVisible();
});

test('a wrong password and an unknown address are refused in the form', async ({ page, world }) => {
  const person = world.person({ admin: true });
  await signIn(page, world, { ...person, password: 'not the password' });
  await expect(page.getByText(/Password is incorrect/).first()).toBeVisible();
  await page.goto(`${world.url}/sign-in`);
  await page.getByLabel('Email address').fill('unknown@people.example');
  await proceed(page);
  await expect(page.getByText(/Couldn't find your account/).first()).toBeVisible();
});

test('the forms can be used by everyone', async ({ page, world }) => {
  const person = world.person({ super: true }, { code: '123456' });
  await page.goto(`${world.url}/sign-in`);
  await expect(page.getByLabel('Email address')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Email address').fill(person.email);
  await proceed(page);
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await proceed(page);
  await expect(page.getByText(/Password is incorrect/).first()).toBeVisible();
  await expectAccessible(page);
  await page.goto(`${world.url}/sign-in#/waitlist`);
  await expect(page.getByRole('heading', { name: 'Join the waitlist' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Back to sign in' }).click();
  await expect(page.getByLabel('Email address')).toBeVisible();
});

test('a person with an authenticator app needs its code', async ({ page, world }) => {
  const person = world.person({ super: true }, { code: '123456' });
  await signIn(page, world, person, '123456');
  await expect(heading(page, 'Traders')).toBeVisible();
  expect(sessionOf(world, person.id).secondFactorAt).not.toBeNull();
});

test('a person without the admin flag is sent away', async ({ page, world }) => {
  await page.route(`${EXTERNAL_URL}**`, (route) => route.fulfill({ body: 'Members' }));
  await signIn(page, world, world.person({}));
  await expect(page).toHaveURL(EXTERNAL_URL);
});

test('a person without an invitation sees the reason, and can leave', async ({ page, world }) => {
  const person = world.person({ super: true }, { isProven: false });
  await signIn(page, world, person);
  await expect(heading(page, 'No access')).toBeVisible();
  await expect(page.getByText(/A super admin has to invite you/)).toBeVisible();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByLabel('Email address')).toBeVisible();
});

test('a session that ends at the service ends on the screen', async ({ page, world }) => {
  const person = world.person({ super: true });
  await signIn(page, world, person);
  await expect(heading(page, 'Traders')).toBeVisible();
  world.clerk.instance.endSession(sessionOf(world, person.id).id, 'revoked');
  // No click: the stream of events has ended, and its renewal is refused.
  await expect(page.getByLabel('Email address')).toBeVisible({ timeout: 30_000 });
});

test('an act that needs a recent proof asks in the dialog of the service, and can be declined', async ({
  page,
  world,
}) => {
  const person = world.person({ super: true }, { code: '654321' });
  await signIn(page, world, person, '654321');
  await expect(heading(page, 'Traders')).toBeVisible();
  const session = sessionOf(world, person.id);
  session.secondFactorAt = Date.now() - 11 * 60_000;
  await page.goto(`${world.url}/people`);
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog').first();
  // Who signs in at the service has no password of ours.
  await expect(dialog).toContainText('accepts with a link that expires in 48 hours');
  await expect(dialog).not.toContainText(/password/i);
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

test('a request for access and the plans have addresses of their own', async ({ page, world }) => {
  await page.goto(`${world.url}/sign-in#/waitlist`);
  await page.getByLabel('Email address').fill('hopeful@people.example');
  await page.getByRole('button', { name: /join the waitlist/i }).click();
  await expect(page.getByText(/thanks for joining/i)).toBeVisible();
  expect([...world.clerk.instance.state.waitlist.values()].map(({ email }) => email)).toEqual([
    'hopeful@people.example',
  ]);
  await page.goto(`${world.url}/sign-in#/pricing`);
  await expect(heading(page, 'Pricing')).toBeVisible();
  // As super admins set it here: the service sells nothing.
  await expect(page.getByText('$199 a month')).toBeVisible();
  await page.getByRole('link', { name: 'Back to sign in' }).click();
  await expect(page.getByLabel('Email address')).toBeVisible();
});

test('the profile is that of the service', async ({ page, world }) => {
  const person = world.person({ super: true });
  await signIn(page, world, person);
  await expect(heading(page, 'Traders')).toBeVisible();
  await page.goto(`${world.url}/profile`);
  await expect(heading(page, 'Profile')).toBeVisible();
  await expect(page.getByText(person.email).first()).toBeVisible();
  await expectAccessible(page);
});

test('without the scripts of the service an error shows after ten seconds', async ({ page, world }) => {
  world.front.breaks('scripts');
  await page.goto(`${world.url}/`);
  await expect(heading(page, 'Something went wrong')).toBeVisible({ timeout: 60_000 });
  world.front.breaks(null);
  await page.getByRole('button', { name: 'Refresh Page' }).click();
  await expect(page.getByLabel('Email address')).toBeVisible();
});

test('a service that is away does not sign a person out', async ({ page, world }) => {
  await signIn(page, world, world.person({ super: true }));
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
