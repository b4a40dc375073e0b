import { test as base, expect, type Page } from '@playwright/test';
import { prepareBundles } from './bundles.ts';
import { type HostedProduct, startHostedProduct } from './hosted-product.ts';

export { expect };

/** One product for all files of a worker. Each test makes the people that it needs. */
export const test = base.extend<{ whole: undefined }, { world: HostedProduct }>({
  world: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures here
    async ({}, use) => {
      const bundles = prepareBundles();
      base.skip(
        bundles === null,
        'The registry in use does not have the scripts of the service, or cannot be reached',
      );
      if (!bundles) return;
      const world = await startHostedProduct(bundles);
      await use(world);
      await world.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  whole: [
    async ({ world }, use) => {
      world.front.breaks(null);
      await use(undefined);
    },
    { auto: true },
  ],
});

export const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
export const proceed = (page: Page) => page.getByRole('button', { name: 'Continue', exact: true }).click();

/** Fills the forms of the service. */
export async function signIn(
  page: Page,
  world: HostedProduct,
  { email, password }: { email: string; password: string },
  code?: string,
) {
  await page.goto(`${world.url}/sign-in`);
  await page.getByLabel('Email address').fill(email);
  await proceed(page);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await proceed(page);
  if (code !== undefined) await page.getByLabel('Enter verification code').first().pressSequentially(code);
}

/** The session that a user opened last. */
export function sessionOf({ clerk }: HostedProduct, userId: string) {
  const open = [...clerk.instance.state.sessions.values()].filter(
    (one) => one.userId === userId && one.status === 'active',
  );
  const session = open.at(-1);
  if (!session) throw new Error(`${userId} has not signed in`);
  return session;
}
