import type { Page } from '@playwright/test';
import { expect, heading, signIn, test } from './support/hosted-test.ts';

/** Longer than half of the minute that a token lives, and shorter than what is left of it. */
const HALF_MS = 35_000;

const open = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first().click();
/** The token of the next call that begins like this. */
const nextToken = async (page: Page, path: string) => {
  const request = await page.waitForRequest((one) => new URL(one.url()).pathname.startsWith(path));
  return request.headers().authorization;
};

test('of two tabs one renews the token, and both use it', async ({ page, context, world }) => {
  const person = world.person({ super: true });
  // Both have the same time, which moves by hand.
  await page.clock.install();
  await signIn(page, world, person);
  await expect(heading(page, 'Traders')).toBeVisible();
  const tab = await context.newPage();
  await tab.goto(world.url);
  await expect(heading(tab, 'Traders')).toBeVisible();
  // Those of the service's own script use its cache.
  const renewals = () =>
    world.front.asked.filter((asked) => /POST .*\/tokens\?.*debug=skip_cache/.test(asked)).length;
  const before = renewals();
  expect(before).toBeGreaterThan(0);

  await page.clock.fastForward(HALF_MS);
  await Promise.all([page, tab].map((each) => open(each, 'Communities')));
  await Promise.all([page, tab].map((each) => expect(heading(each, 'Communities')).toBeVisible()));
  await expect.poll(renewals).toBe(before + 1);
  const tokens = Promise.all([page, tab].map((each) => nextToken(each, '/api/invoices')));
  await Promise.all([page, tab].map((each) => open(each, 'Invoices')));
  const [first, second] = await tokens;
  expect(first).toBe(second);
  expect(renewals()).toBe(before + 1);
});
