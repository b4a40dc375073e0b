import type { Browser, Locator, Page } from '@playwright/test';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { totpCode } from '../../support/identity/totp.ts';
import { expect } from './test.ts';

interface Person {
  email: string;
  name: string;
  password: string;
}

/** An address whose key no one keeps. */
export const newAddress = () => privateKeyToAddress(generatePrivateKey());

/** The id in the address of a page. */
const idOfPage = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? '';

/** What a dialog shows once: a link, a token, a key. */
const secretIn = async (dialog: Locator) => (await dialog.locator('code').textContent()) ?? '';

/** The dashboard: until it is there, the screen before may have links of the same names. */
export async function openSuperAdmin(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Super Admin' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Super Admin Dashboard' })).toBeVisible();
}

/** What people do on the screens of a new installation, in the order of a first day. */
export async function claimInstallation(page: Page, owner: Person, token: string): Promise<void> {
  await page.goto('/');
  await page.getByLabel('Setup token').fill(token);
  await page.getByLabel('E-mail').fill(owner.email);
  await page.getByLabel('Name').fill(owner.name);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByRole('button', { name: 'Create super admin' }).click();
  await expect(page.getByRole('heading', { name: 'No traders found' })).toBeVisible();
}

export async function turnOnSecondFactor(page: Page, { password }: Person): Promise<void> {
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: /account of/ }).click();
  await page.getByRole('menuitem', { name: /Two-factor/ }).click();
  await dialog.getByLabel('Password').fill(password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  const uri = `otpauth://totp/?secret=${await secretIn(dialog)}`;
  await dialog.getByLabel('Code').fill(await totpCode(uri));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await dialog.getByRole('button', { name: 'I have stored them' }).click();
  await expect(dialog).toBeHidden();
}

/** The addresses to which the platform's own part of invoices is paid. */
export async function setPlatformAddresses(page: Page, addresses: Record<string, string>): Promise<void> {
  const dialog = page.getByRole('dialog');
  await openSuperAdmin(page);
  await page.getByRole('link', { name: 'Settings' }).first().click();
  for (const [name, address] of Object.entries(addresses)) {
    await page.getByRole('button', { name: `Change the address of ${name}` }).click();
    await dialog.getByLabel('Address on BNB Smart Chain').fill(address);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText(address)).toBeVisible();
  }
}

/** @returns its id */
export async function createProvider(page: Page, name: string, payoutAddress: string): Promise<string> {
  const dialog = page.getByRole('dialog');
  await openSuperAdmin(page);
  await page.getByRole('link', { name: 'Providers' }).click();
  await expect(page.getByText('No providers found')).toBeVisible();
  await page.getByRole('button', { name: 'New provider' }).first().click();
  await dialog.getByLabel('Name', { exact: true }).fill(name.toLowerCase().replaceAll(' ', '-'));
  await dialog.getByLabel('Display name').fill(name);
  await dialog.getByLabel('Payout address').fill(payoutAddress);
  await dialog.getByRole('button', { name: 'Create provider' }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  return idOfPage(page);
}

/** @returns its id */
export async function createCommunity(
  page: Page,
  name: string,
  { provider, wallet }: { provider: string; wallet: string },
): Promise<string> {
  const dialog = page.getByRole('dialog');
  await openSuperAdmin(page);
  await page.getByRole('button', { name: 'New community' }).click();
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  await dialog.getByLabel(provider).check();
  await dialog.getByLabel('External wallet address').fill(wallet);
  await dialog.getByRole('button', { name: 'Create community' }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  return idOfPage(page);
}

/** Invites a person to a provider, who accepts in a browser of their own. @returns that person's page */
export async function inviteMember(
  page: Page,
  browser: Browser,
  { email, name, password }: Person,
  provider: string,
): Promise<Page> {
  const dialog = page.getByRole('dialog');
  await openSuperAdmin(page);
  await page.getByRole('link', { name: 'People' }).click();
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await dialog.getByLabel('E-mail').fill(email);
  await dialog.getByLabel(provider).check();
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  const link = new URL(await secretIn(dialog));
  await dialog.getByRole('button', { name: 'Done' }).click();

  const member = await (await browser.newContext({ baseURL: link.origin })).newPage();
  await member.goto(`${link.pathname}${link.hash}`);
  await member.getByLabel('Name').fill(name);
  await member.getByLabel('Password').fill(password);
  await member.getByRole('button', { name: 'Create account' }).click();
  await expect(member.getByRole('heading', { name: 'No traders found' })).toBeVisible();
  return member;
}

/** @returns the token of a program that signs up traders */
export async function createServiceToken(page: Page, name: string, provider: string): Promise<string> {
  const dialog = page.getByRole('dialog');
  await openSuperAdmin(page);
  await page.getByRole('link', { name: 'Tokens' }).click();
  await page.getByRole('button', { name: 'New token' }).first().click();
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Add and change traders').check();
  await dialog.getByLabel(provider).check();
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const token = await secretIn(dialog);
  await dialog.getByRole('button', { name: 'Done' }).click();
  return token;
}
