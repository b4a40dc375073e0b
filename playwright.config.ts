import { defineConfig, devices } from '@playwright/test';
import { chromiumLaunch } from './tests/support/chromium.ts';

/**
 * The tests of a worker share a window, emptied after each, and the process behind it: opening both for every test took
 * half of the browser's time (1.0 s of processor time for a page, against 0.5 s).
 */
const ONE_WINDOW = {
  reuseContext: true,
  launchOptions: {
    ...chromiumLaunch,
    args: [...chromiumLaunch.args, '--renderer-process-limit=1', '--disable-site-isolation-trials'],
  },
};

const LONG = '**/*.long.spec.ts';

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/e2e/support/demo-world.ts',
  // Each has a product of its own: some files change its data. Within a file, tests run one after the other. One more
  // than cores: tests wait for what shows after a while.
  workers: 3,
  forbidOnly: true,
  // Patience, not a measure: a busy machine may take this long, and a test that fails says so late but surely.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  // Where the browser's page broke down, which test-counts.mjs alone excuses: a test that passes at its second attempt fails.
  retries: 1,
  // `npm test`, and `npm run test:long`: accessibility in every state, first days of new installations, slow networks.
  projects: [
    { name: 'chromium', testIgnore: LONG },
    // Whole days of work beside each other: what they wait for is behind what the others do.
    { name: 'long', testMatch: LONG, timeout: 300_000, expect: { timeout: 45_000 } },
  ],
  use: {
    ...devices['Desktop Chrome'],
    // Said by the global set-up; the workers read this file after it, each with its own index.
    baseURL: process.env.E2E_URLS?.split(' ')[Number(process.env.TEST_PARALLEL_INDEX)],
    viewport: { width: 1440, height: 900 },
    // Dates and times of day on the screen do not depend on the machine.
    locale: 'en-US',
    timezoneId: 'UTC',
    colorScheme: 'light',
    // Charts that draw themselves and placeholders that pulse keep the machine busy.
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 30_000,
    navigationTimeout: 60_000,
    ...ONE_WINDOW,
  },
});
