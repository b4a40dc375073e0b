import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { totpCode } from '../../support/identity/totp.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { startEmptyProduct } from '../support/empty-product.ts';
import { embeddedOnly } from '../support/identity-mode.ts';
import { pressEscape } from '../support/press-escape.ts';
import { test as base, expect, FAILED_REQUEST } from '../support/test.ts';
import { addVirtualAuthenticator, type VirtualAuthenticator } from '../support/virtual-authenticator.ts';

type EmptyProduct = Awaited<ReturnType<typeof startEmptyProduct>>;

const OWNER = { email: 'owner@desk.example', name: 'Olga Owner', password: 'correct horse battery' };
let providers = 0;

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
  // Browsers bind no passkey to an IP address.
  baseURL: async ({ product }, use) => use(product.url.replace('127.0.0.1', 'localhost')),
});
embeddedOnly('Passkeys at the service are its own');
test.use({ persona: null, expectedComplaint: FAILED_REQUEST });
// One account and one device, through several visits.
test.describe.configure({ mode: 'serial' });

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const traders = (page: Page) => page.getByRole('heading', { name: 'Traders', exact: true });
const passkeys = (page: Page) => page.getByRole('region', { name: /^Passkeys/ });

async function signIn(page: Page) {
  await page.goto('/sign-in');
  await page.getByLabel('E-mail').fill(OWNER.email);
  await page.getByLabel('Password').fill(OWNER.password);
  await press(page, 'Sign in');
}
async function signOut(page: Page) {
  await page.getByRole('button', { name: /account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/sign-in/);
}
/** An act on money, for which a super admin needs a second factor and a recent proof of it. */
async function createProvider(page: Page) {
  await page.goto('/providers');
  await press(page, 'New provider');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill(`provider${++providers}`);
  await dialog.getByLabel('Display name').fill(`Desk ${providers}`);
  await press(page, 'Create provider');
  return page.getByRole('heading', { level: 1, name: `Desk ${providers}` });
}
async function addPasskey(page: Page, name: string) {
  const dialog = page.getByRole('dialog', { name: 'Add passkey' });
  await press(page, 'Add passkey');
  await dialog.getByLabel('Name').fill(name);
  await press(page, 'Continue');
  return dialog;
}

test('a passkey is added, signs in, proves it for money, and is removed', async ({ page, product }) => {
  const device: VirtualAuthenticator = await addVirtualAuthenticator(page);
  await page.goto('/');
  await page
    .getByLabel('Setup token')
    .fill(await readFile(join(product.dataDir, 'secrets', 'setup-token'), 'utf8'));
  await page.getByLabel('E-mail').fill(OWNER.email);
  await page.getByLabel('Name').fill(OWNER.name);
  await page.getByLabel('Password').fill(OWNER.password);
  await press(page, 'Create super admin');
  await expect(traders(page)).toBeVisible();

  await page.goto('/profile');
  await expect(passkeys(page)).toContainText('No passkeys');
  const adding = await addPasskey(page, '');
  await expect(adding).toContainText('Required');
  await adding.getByLabel('Name').fill('Laptop');
  await device.recognise(false);
  await press(page, 'Continue');
  await expect(adding.getByRole('alert')).toHaveText(
    'Cancelled, or it took too long. Try again when you are ready.',
  );
  await expectAccessible(page);
  await device.recognise(true);
  await press(page, 'Continue');
  await expect(adding).toBeHidden();
  await expect(passkeys(page).getByRole('row').nth(1)).toContainText(/Laptop.*today \d\d:\d\d.*Never/);
  expect(await device.countPasskeys()).toBe(1);

  const again = await addPasskey(page, 'Laptop again');
  await expect(again.getByRole('alert')).toHaveText('This device already has a passkey for your account.');
  await press(page, 'Cancel');
  await press(page, 'Rename Laptop');
  await page.getByRole('dialog').getByLabel('Name').fill('Work laptop');
  await press(page, 'Save');
  await expect(passkeys(page)).toContainText('Work laptop');
  await expectAccessible(page);

  await signOut(page);
  await device.recognise(false);
  await press(page, 'Sign in with a passkey');
  await expect(page.getByText('Cancelled, or it took too long.')).toBeVisible();
  await expectAccessible(page);
  await device.recognise(true);
  await press(page, 'Sign in with a passkey');
  await expect(traders(page)).toBeVisible();
  await expect(await createProvider(page)).toBeVisible();

  await signOut(page);
  await signIn(page);
  await expect(page.getByRole('alert')).toContainText('the password alone is not enough');
  await expectAccessible(page);
  await press(page, 'Sign in with a passkey');
  await expect(traders(page)).toBeVisible();

  await page.goto('/profile');
  await expect(passkeys(page).getByRole('row').nth(1)).not.toContainText('Never');
  await press(page, 'Remove Work laptop');
  await expect(page.getByRole('dialog')).toContainText('It is your only second factor');
  await expectAccessible(page);
  await press(page, 'Remove');
  await expect(passkeys(page)).toContainText('No passkeys');
  await createProvider(page);
  const missing = page.getByRole('dialog', { name: 'Add a second factor' });
  await expect(missing).toBeVisible();
  await pressEscape(missing);
  await pressEscape(page.getByRole('dialog'));
  await signOut(page);
  await press(page, 'Sign in with a passkey');
  await expect(page.getByText('This passkey belongs to no account here.')).toBeVisible();
});

test('a browser without passkeys is offered none', async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'PublicKeyCredential'));
  await signIn(page);
  await expect(traders(page)).toBeVisible();
  await page.goto('/profile');
  await expect(passkeys(page)).toContainText('This browser cannot use passkeys at this address.');
  await expect(passkeys(page).getByRole('button', { name: 'Add passkey' })).toBeDisabled();
  await signOut(page);
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toHaveCount(0);
});

test('backup codes are renewed with a code: the old ones stop working', async ({ page, context }) => {
  const dialog = page.getByRole('dialog');
  await signIn(page);
  await expect(traders(page)).toBeVisible();
  await page.goto('/profile');
  await press(page, 'Set up');
  await dialog.getByLabel('Password').fill(OWNER.password);
  await press(page, 'Continue');
  const uri = `otpauth://totp/?secret=${await dialog.locator('code').textContent()}`;
  await dialog.getByLabel('Code').fill(await totpCode(uri));
  await press(page, 'Turn on');
  await expect(dialog.getByRole('listitem')).toHaveCount(10);
  const [old = ''] = await dialog.getByRole('listitem').allInnerTexts();
  await press(page, 'I have stored them');
  const you = page.getByRole('region', { name: 'You', exact: true });
  await expect(you).toContainText('10 left');

  await press(page, 'New backup codes');
  await dialog.getByLabel('Password').fill(OWNER.password);
  await press(page, 'Renew codes');
  await expect(dialog.getByText('Required')).toBeVisible();
  await dialog.getByLabel('Code').fill(await totpCode(uri));
  await press(page, 'Renew codes');
  await expect(dialog).toContainText('the earlier ones no longer work');
  await expect(dialog.getByRole('listitem')).toHaveCount(10);
  const codes = await dialog.getByRole('listitem').allInnerTexts();
  expect(codes).not.toContain(old);
  await expectAccessible(page);
  const saving = page.waitForEvent('download');
  await press(page, 'Download');
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe('copydesk-backup-codes.txt');
  expect(await readFile(await saved.path(), 'utf8')).toBe(`${codes.join('\n')}\n`);
  await press(page, 'I have stored them');

  await context.clearCookies();
  await signIn(page);
  await press(page, 'Use a backup code');
  await page.getByLabel('Backup code').fill(old);
  await press(page, 'Continue');
  await expect(page.getByRole('alert').filter({ hasText: /code/i })).toBeVisible();
  await page.getByLabel('Backup code').fill(codes[0] ?? '');
  await press(page, 'Continue');
  await expect(traders(page)).toBeVisible();
  await page.goto('/profile');
  await expect(you).toContainText('9 left');
});
