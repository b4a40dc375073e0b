import { defineConfig, devices } from '@playwright/test';
import { chromiumLaunch } from '../support/chromium.ts';

// The console with a hosted identity service: one product beside a simulated Clerk, for one file of tests.
export default defineConfig({
  testDir: '.',
  workers: 1,
  // A second attempt on a busy machine; `npm test` names those that needed it.
  retries: 1,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  projects: [{ name: 'hosted' }],
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'UTC',
    colorScheme: 'light',
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 15_000,
    navigationTimeout: 30_000,
    launchOptions: chromiumLaunch,
  },
});
