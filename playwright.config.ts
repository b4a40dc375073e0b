import { existsSync, readFileSync } from 'node:fs';
import { defineConfig, devices } from '@playwright/test';

/** Noted by scripts/prepare.mjs, which `npm test` runs first. */
const NOTE = new URL('.cache/chromium-path', import.meta.url);

const chromium = () =>
  [
    process.env.CHROMIUM_PATH,
    existsSync(NOTE) ? readFileSync(NOTE, 'utf8').trim() : undefined,
    '/usr/bin/chromium',
    '/usr/bin/google-chrome',
  ].find((path) => path && existsSync(path));

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/e2e/support/demo-world.ts',
  // One product serves all files; some of them change its data.
  workers: 1,
  retries: 0,
  forbidOnly: true,
  timeout: 20_000,
  expect: { timeout: 5_000 },
  reporter: 'list',
  projects: [{ name: 'chromium' }],
  use: {
    ...devices['Desktop Chrome'],
    // Said by the global set-up; the workers read this file after it.
    baseURL: process.env.E2E_URL,
    viewport: { width: 1440, height: 900 },
    // Dates and times of day on the screen do not depend on the machine.
    locale: 'en-US',
    timezoneId: 'UTC',
    colorScheme: 'light',
    actionTimeout: 5_000,
    navigationTimeout: 10_000,
    launchOptions: {
      executablePath: chromium(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
