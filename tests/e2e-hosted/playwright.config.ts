import { defineConfig } from '@playwright/test';
import base from '../../playwright.config.ts';
import { chromiumLaunch } from '../support/chromium.ts';

/**
 * The console with a hosted identity service, beside a simulated Clerk. `npm run test:long` runs the tests of signing in there, and
 * some of the others; `npm test -- e2e-hosted` runs all browser tests in this mode, but those that are about signing in
 * with accounts of ours: `embeddedOnly` gives the reason of each.
 */
const isWhole = process.env.E2E_HOSTED === 'whole';
process.env.E2E_IDENTITY = 'hosted';

const { globalSetup: _, projects: __, ...shared } = base;
export default defineConfig(shared, {
  testDir: '.',
  // Playwright empties it: what the steps before left of a failure stays.
  outputDir: '../../test-results/hosted',
  workers: 1,
  // Each tab has a process, as it has for people: two that renew one token are what is tested here.
  use: { ...shared.use, reuseContext: false, launchOptions: chromiumLaunch },
  ...(isWhole ? { globalSetup: './support/hosted-worlds.ts' } : {}),
  projects: [{ name: 'hosted' }, ...(isWhole ? [{ name: 'console', testDir: '../e2e' }] : [])],
});
