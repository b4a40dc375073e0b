import type { StartScreen } from '@copydesk/domain/person';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../testing/expect-accessible.ts';
import { refuse } from '../testing/serve-calls.ts';
import { type Accounts, showAccount } from '../testing/show-account.ts';
import { STAFF, SUPER_ADMIN } from '../testing/show-screen.tsx';

const DEMO = 'POST /api/demo/sign-in';

const heading = (name: string) => page.getByRole('heading', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const signedOut = (path = '/sign-in', shown: Accounts = {}) =>
  showAccount(path, { config: { demo: true }, ...shown });

/** The one click of the demo world signs in as a super admin. */
async function signedOutInDemo(path: string, person = SUPER_ADMIN) {
  const screen = await signedOut(path, {
    answers: {
      [DEMO]: () => {
        screen.signIn(person);
        return { success: true, token: 'session' };
      },
    },
  });
  return screen;
}

test('a signed-out person gets the sign-in page, without a refused request', async () => {
  const { server, address } = await signedOut('/');
  await expect.element(heading('Sign in to Copydesk')).toBeVisible();
  await expect.poll(address).toBe('/sign-in');
  await expect.poll(() => document.title).toBe('Sign in · Copydesk');
  expect(server.sentKeys()).toEqual([]);
  await expectAccessible();
});

test('a person without the admin flag goes no further than the console', async () => {
  const { server } = await signedOut('/?tab=connected', {
    person: { ...STAFF, admin: false, providers: [] },
    // An address within the console would lead there in a circle.
    config: { external_url: '' },
  });
  await expect.element(heading('Access denied')).toBeVisible();
  await expect.element(page.getByText('This account is not an administrator of the console.')).toBeVisible();
  expect(server.sentKeys()).toEqual(['GET /api/me']);
  await button('Sign out').click();
  await expect.element(heading('Sign in to Copydesk')).toBeVisible();
});

test('one click of the demo world leads back to where one was, filters included', async () => {
  const { address, server } = await signedOutInDemo('/?tab=connected&search=KAIT-1001&sort=reference_number');
  await expect.poll(address).toMatch(/^\/sign-in\?from=/);
  await userEvent.dblClick(button('Super admin'));
  await expect.poll(address).toBe('/?tab=connected&search=KAIT-1001&sort=reference_number');
  await expect.element(page.getByRole('searchbox')).toHaveValue('KAIT-1001');
  expect(server.sentTo(DEMO).map(({ body }) => body)).toEqual([{ persona: 'super' }]);
});

const startingWith = (start_screen: StartScreen) => ({
  ...SUPER_ADMIN,
  settings: { ...SUPER_ADMIN.settings, start_screen },
});

test('signing in leads to the screen that a person chose to start with, and the traders stay where they are', async () => {
  const { address } = await signedOutInDemo('/', startingWith('communities'));
  await button('Super admin').click();
  await expect.element(heading('Communities')).toBeVisible();
  await expect.poll(address).toBe('/communities');
  await page.getByRole('link', { name: 'Traders', exact: true }).click();
  await expect.element(heading('Traders')).toBeVisible();
  expect(address()).toBe('/');
});

test.each([
  ['a link', '/?tab=connected', '/?tab=connected'],
  ['the address of another screen', '/communities', '/communities'],
])('%s leads where it says, whatever the person starts with', async (_, path, expected) => {
  const { address } = await signedOutInDemo(path, startingWith('pools'));
  await button('Super admin').click();
  await expect.poll(address).toBe(expected);
});

test('a person with a session, who opens the traders, sees them', async () => {
  const { address } = await showAccount('/', { person: startingWith('pools') });
  await expect.element(heading('Traders')).toBeVisible();
  expect(address()).toBe('/');
});

test('never returns to another site', async () => {
  const { address } = await signedOutInDemo(`/sign-in?from=${encodeURIComponent('//evil.example/')}`);
  await button('Super admin').click();
  await expect.element(heading('Traders')).toBeVisible();
  await expect.poll(address).toBe('/');
});

test('an empty form names the missing fields and focuses the first', async () => {
  await signedOut();
  await button('Sign in').click();
  await expect.element(page.getByText('Required').nth(1)).toBeVisible();
  expect(page.getByText('Required').elements()).toHaveLength(2);
  await expect.element(page.getByLabelText('E-mail')).toHaveFocus();
  await page.getByLabelText('E-mail').fill('somebody');
  await button('Sign in').click();
  await expect.element(page.getByText('Enter an e-mail address')).toBeVisible();
});

test('a wrong password is one error, and the right one signs in', async () => {
  const sent: unknown[] = [];
  const { signIn, address } = await signedOut('/sign-in', {
    auth: {
      'sign-in/email': (body) => {
        sent.push(body);
        if (sent.length === 1) return refuse(401, 'INVALID_EMAIL_OR_PASSWORD', 'Invalid email or password');
        signIn(SUPER_ADMIN);
        return { redirect: false, token: 'session', user: {} };
      },
    },
  });
  await page.getByLabelText('E-mail').fill(' super@example.com ');
  await page.getByLabelText('Password').fill('not the password');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('alert')).toHaveTextContent(/^Invalid email or password$/);
  expect(address()).toBe('/sign-in');
  await expectAccessible();
  await page.getByLabelText('Password').fill('a long password');
  await userEvent.keyboard('{Enter}');
  await expect.element(heading('Traders')).toBeVisible();
  expect(sent).toMatchObject([
    { email: 'super@example.com', password: 'not the password' },
    { email: 'super@example.com', password: 'a long password' },
  ]);
});

test('a signed-out visitor of the forgotten-password page finds the way back', async () => {
  await signedOut();
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect.poll(() => location.hash).toBe('#/forgot');
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveFocus();
  await page.getByRole('link', { name: 'Back to sign in' }).click();
  await expect.element(heading('Sign in to Copydesk')).toBeVisible();
});

test('access is asked for with an address and a name', async () => {
  const { server } = await signedOut('/sign-in', {
    answers: { 'POST /api/waitlist': { success: true, data: null } },
  });
  await page.getByRole('link', { name: 'Ask for access' }).click();
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Ask for access');
  await button('Send request').click();
  await expect.element(page.getByText('Required').first()).toBeVisible();
  await page.getByLabelText('E-mail').fill('asta@example.com');
  await page.getByLabelText('Name').fill('Asta Asks');
  await page.getByLabelText('What you need it for').fill('Support of Aurora');
  await expectAccessible();
  await button('Send request').click();
  await expect.element(page.getByText('Your request is noted')).toBeVisible();
  expect(server.sentTo('POST /api/waitlist').map(({ body }) => body)).toMatchObject([
    { email: 'asta@example.com', name: 'Asta Asks' },
  ]);
});

test('prices of plans are shown where there are some', async () => {
  await signedOut('/sign-in', { config: { plans: { monthly: '49.90', yearly: null } } });
  await page.getByRole('link', { name: 'Pricing' }).click();
  await expect.element(page.getByText('$49.90 a month')).toBeVisible();
  await expectAccessible();
  await page.getByRole('link', { name: 'Ask for access' }).click();
  await expect.element(heading('Ask for access')).toBeVisible();
});
