import { type RunningClerk, startClerk } from '@copydesk/simulators/clerk';
import { test as base } from '@playwright/test';
import { startEmptyProduct } from '../e2e/support/empty-product.ts';
import { hostedVariables, SECRET_KEY, WEBHOOK_SECRET } from '../support/identity/hosted-variables.ts';
import { prepareBundles } from './support/bundles.ts';
import { type Front, startFront } from './support/front.ts';
import { expect, proceed } from './support/hosted-test.ts';

/** In the publishable key of the tests. */
const HOST = 'https://clerk.simulated.example';

/** The product without a proxy, and the service on a host of its own: here, what the browser asks of it is passed on. */
const test = base.extend<object, { product: { url: string }; service: Front; clerk: RunningClerk }>({
  clerk: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures here
    async ({}, use) => {
      const clerk = await startClerk({ secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET });
      await use(clerk);
      await clerk.close();
    },
    { scope: 'worker' },
  ],
  product: [
    async ({ clerk }, use) => {
      const product = await startEmptyProduct(hostedVariables(clerk));
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  service: [
    async ({ clerk, product }, use) => {
      const bundles = prepareBundles();
      base.skip(bundles === null, 'The registry in use does not have the scripts of the service');
      if (!bundles) return;
      const service = await startFront(bundles);
      service.pass({ product: product.url, clerk: clerk.url });
      await use(service);
      await service.close();
    },
    { scope: 'worker' },
  ],
});

test('without a proxy the policy of the pages lets the host of the service in, and no other', async ({
  page,
  product,
  service,
}) => {
  const refused: string[] = [];
  const hosts = new Set<string>();
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) refused.push(message.text());
  });
  page.on('request', (request) => void hosts.add(new URL(request.url()).origin));
  await page.route(`${HOST}/**`, async (route) => {
    const request = route.request();
    const { pathname, search } = new URL(request.url());
    const response = await route.fetch({ url: `${service.url}/__clerk${pathname}${search}` });
    await route.fulfill({
      response,
      headers: {
        ...response.headers(),
        'access-control-allow-origin': product.url,
        'access-control-allow-credentials': 'true',
      },
    });
  });
  await page.goto(`${product.url}/sign-in`);
  await page.getByLabel('Email address').fill('unknown@people.example');
  await proceed(page);
  // Its scripts run, and its API answers.
  await expect(page.getByText(/Couldn't find your account/).first()).toBeVisible();
  expect(refused).toEqual([]);
  expect([...hosts].filter((origin) => /^https?:/.test(origin)).sort()).toEqual([product.url, HOST].sort());

  await page.evaluate("fetch('https://elsewhere.example/').catch(() => {})");
  await expect.poll(() => refused.join()).toContain('elsewhere.example');
});
