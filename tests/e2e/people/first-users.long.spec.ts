import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { totpCode } from '../../support/identity/totp.ts';
import { startEmptyProduct } from '../support/empty-product.ts';
import { embeddedOnly } from '../support/identity-mode.ts';
import { pressEscape } from '../support/press-escape.ts';
import { test as base, expect, FAILED_REQUEST } from '../support/test.ts';

type EmptyProduct = Awaited<ReturnType<typeof startEmptyProduct>>;

const OWNER = { email: 'owner@desk.example', name: 'Olga Owner', password: 'correct horse battery' };
const GUEST = { email: 'guest@desk.example', name: 'Gita Guest', password: 'staple battery horse' };

const test = base.extend<object, { product: EmptyProduct }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs
    async ({}, use) => {
      const product = await startEmptyProduct();
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: async ({ product }, use) => use(product.url),
});
embeddedOnly('The first super admin is made with a setup token and passwords of ours');
test.use({ persona: null, expectedComplaint: FAILED_REQUEST });
test.describe.configure({ mode: 'serial' });

const submit = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function signIn(page: Page, person: { email: string; password: string }) {
  await page.goto('/sign-in');
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await submit(page, 'Sign in');
}

test('the first super admin is made with the set-up token of the server', async ({ page, product }) => {
  const token = await readFile(join(product.dataDir, 'secrets', 'setup-token'), 'utf8');
  await page.goto('/');
  await expect(page).toHaveURL('/sign-in#/setup');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Set up Copydesk');
  await page.getByLabel('Setup token').fill('a-guess');
  await page.getByLabel('E-mail').fill(OWNER.email);
  await page.getByLabel('Name').fill(OWNER.name);
  await page.getByLabel('Password').fill('short');
  await submit(page, 'Create super admin');
  await expect(page.getByText('Use 12 to 128 characters')).toBeVisible();
  await page.getByLabel('Password').fill(OWNER.password);
  await submit(page, 'Create super admin');
  await expect(page.getByRole('alert')).toHaveText('The setup token is invalid, used or expired');

  await page.getByLabel('Setup token').fill(token);
  await submit(page, 'Create super admin');
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('link', { name: 'Super Admin' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No traders found' })).toBeVisible();
});

test('an invited person accepts in the browser, once', async ({ page, browser, product }) => {
  await signIn(page, OWNER);
  await expect(page.getByRole('heading', { name: 'Traders', exact: true })).toBeVisible();
  const { token } = await (await page.request.get('/api/auth/token')).json();
  const invited = await page.request.post('/api/users/invitations', {
    headers: { authorization: `Bearer ${token}` },
    data: { email: GUEST.email, super: true },
  });
  const link = new URL((await invited.json()).data.link);

  const guest = await (await browser.newContext({ baseURL: product.url })).newPage();
  const open = () => guest.goto(`${link.pathname}${link.hash}`);
  await open();
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('Accept your invitation');
  // What a password manager stores the password under; whoever is signed in already sees that it is not theirs.
  const address = guest.getByLabel('E-mail address');
  await expect(address).toHaveValue(GUEST.email);
  await expect(address).toHaveAttribute('autocomplete', 'username');
  await expect(address).toHaveAccessibleDescription('The account that this link is for');
  await page.goto(`${link.pathname}${link.hash}`);
  await expect(page.getByLabel('E-mail address')).toHaveAccessibleDescription(
    `You are signed in as ${OWNER.email} in this browser. This link is for another account.`,
  );
  await guest.getByLabel('Name').fill(GUEST.name);
  await guest.getByLabel('Password').fill(GUEST.password);
  await submit(guest, 'Create account');
  await expect(guest).toHaveURL('/');
  await expect(guest.getByRole('button', { name: `GG, account of ${GUEST.name}` })).toBeVisible();

  await open();
  await expect(guest.getByLabel('E-mail address')).toHaveAccessibleDescription(/used or expired/);
  await guest.getByLabel('Name').fill('Somebody else');
  await guest.getByLabel('Password').fill(GUEST.password);
  await submit(guest, 'Create account');
  await expect(guest.getByRole('alert')).toHaveText(
    'This invitation is invalid, used or expired. If you accepted it, your account exists: sign in.',
  );
  await guest.context().close();
});

test('a second factor is set up, and required at the next sign-in', async ({ page, context }) => {
  await signIn(page, GUEST);
  await page.getByRole('button', { name: /account of/ }).click();
  await page.getByRole('menuitem', { name: /Two-factor/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password').fill('not the password');
  await submit(page, 'Continue');
  await expect(dialog.getByRole('alert')).toHaveText(/password/i);
  await dialog.getByLabel('Password').fill(GUEST.password);
  await submit(page, 'Continue');
  await expect(dialog.getByRole('img', { name: /QR code/ })).toBeVisible();
  const uri = `otpauth://totp/?secret=${await dialog.locator('code').textContent()}`;
  await dialog.getByLabel('Code').fill('12');
  await submit(page, 'Turn on');
  await expect(dialog.getByText('Enter the 6 digits')).toBeVisible();
  const first = await totpCode(uri);
  await dialog.getByLabel('Code').fill(first);
  await submit(page, 'Turn on');
  await expect(dialog.getByRole('listitem')).toHaveCount(10);
  const [backupCode] = await dialog.getByRole('listitem').allInnerTexts();
  await submit(page, 'I have stored them');
  await expect(dialog).toBeHidden();

  await context.clearCookies();
  await signIn(page, GUEST);
  await expect(page.getByText('Enter the code from your authenticator app.')).toBeVisible();
  await page.getByLabel('Code').fill(await totpCode(uri));
  await submit(page, 'Continue');
  await expect(page.getByRole('heading', { name: 'Traders', exact: true })).toBeVisible();

  await context.clearCookies();
  await signIn(page, GUEST);
  await page.getByRole('button', { name: 'Use a backup code' }).click();
  await page.getByLabel('Backup code').fill(backupCode ?? '');
  await submit(page, 'Continue');
  await expect(page.getByRole('heading', { name: 'Traders', exact: true })).toBeVisible();

  // Turning it off takes a code as well: the password alone must not undo it.
  await page.getByRole('button', { name: /account of/ }).click();
  await page.getByRole('menuitem', { name: /Two-factor/ }).click();
  await dialog.getByLabel('Password').fill(GUEST.password);
  await submit(page, 'Turn off');
  await expect(dialog.getByText('Required')).toBeVisible();
  await dialog.getByLabel('Code').fill(first);
  await submit(page, 'Turn off');
  await expect(dialog.getByRole('alert')).toHaveText(/already been used|wrong/);
  await dialog.getByLabel('Code').fill(await totpCode(uri));
  await submit(page, 'Turn off');
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: /account of/ }).click();
  await expect(page.getByRole('menuitem', { name: /Two-factor/ })).toHaveText(/Off/);
});

test('a super admin gives providers only with a second factor', async ({ page }) => {
  await signIn(page, OWNER);
  await expect(page.getByRole('heading', { name: 'Traders', exact: true })).toBeVisible();
  await page.goto('/providers');
  await expect(page.getByText('No providers found')).toBeVisible();
  const dialog = page.getByRole('dialog');
  const create = async () => {
    await page.getByRole('button', { name: 'New provider' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('first');
    await dialog.getByLabel('Display name').fill('First Desk');
    await submit(page, 'Create provider');
  };
  await create();
  await expect(page.getByRole('dialog', { name: 'Add a second factor' })).toBeVisible();
  await pressEscape(page.getByRole('dialog', { name: 'Add a second factor' }));
  await pressEscape(dialog);
  await page.getByRole('button', { name: /account of/ }).click();
  await page.getByRole('menuitem', { name: /Two-factor/ }).click();
  await dialog.getByLabel('Password').fill(OWNER.password);
  await submit(page, 'Continue');
  const uri = `otpauth://totp/?secret=${await dialog.locator('code').textContent()}`;
  await dialog.getByLabel('Code').fill(await totpCode(uri));
  await submit(page, 'Turn on');
  await submit(page, 'I have stored them');
  await create();
  await expect(page.getByRole('heading', { level: 1, name: 'First Desk' })).toBeVisible();
});

test('a super admin without device and password is let in again by an operator of the server', async ({
  page,
  product,
}) => {
  // The operator's commands are processes of their own.
  test.slow();
  await signIn(page, OWNER);
  await expect(page.getByText('Enter the code from your authenticator app.')).toBeVisible();
  expect(await product.admin('list')).toMatch(new RegExp(`${OWNER.email}\tsuper.*second factor`));

  await product.admin('remove-second-factor', '--email', OWNER.email);
  const printed = await product.admin('reset', '--email', OWNER.email);
  const link = new URL(/https?:\S+/.exec(printed)?.[0] ?? '');
  await page.goto(`${link.pathname}${link.search}${link.hash}`);
  await page.getByLabel('New password').fill('battery horse staple');
  await submit(page, 'Save password');
  await expect(page.getByText('Password changed', { exact: true })).toBeVisible();
  await signIn(page, { ...OWNER, password: 'battery horse staple' });
  await expect(page.getByRole('heading', { name: 'Traders', exact: true })).toBeVisible();

  // The same commands shut an account that another person has taken, and open it again.
  await product.admin('disable', '--email', OWNER.email);
  await page.goto('/');
  await expect(page).toHaveURL(/sign-in/);
  await product.admin('enable', '--email', OWNER.email);
  await signIn(page, { ...OWNER, password: 'battery horse staple' });
  await expect(page.getByRole('heading', { name: 'Traders', exact: true })).toBeVisible();
});
