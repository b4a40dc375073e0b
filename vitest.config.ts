import { fileURLToPath } from 'node:url';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { chromiumLaunch } from './tests/support/chromium.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Tests of the exchanges over real sockets, which take longer than a unit test may. */
const SOCKETS = [
  'tests/exchanges/**/*.test.ts',
  'apps/simulators/src/{venues,bin,chain,pools}/**/*.unit.test.ts',
  'apps/server/src/integrations/exchanges/*.unit.test.ts',
];

/** Searches that take minutes, kills, storms, outages, whole walks. */
const LONG = '**/*.long.test.ts';

/** Files with a part for `npm test` and more for `npm run test:long`: see `tests/support/long-test.ts`. */
const IN_PARTS = [
  'apps/server/src/bin/wrong-settings.test.ts',
  'apps/server/src/core/ledger/ledger-concurrency.test.ts',
  'apps/server/src/features/billing/webhooks.test.ts',
  'apps/server/src/features/exchanges/live/live-reads.test.ts',
  'apps/server/src/features/exchanges/reading/reading-faults.test.ts',
  'apps/server/src/features/messages/message-sender.test.ts',
  'apps/server/src/features/payouts/rightful-histories.test.ts',
  'apps/server/src/features/people/hosted/hosted-webhooks.test.ts',
  'apps/server/src/features/pools/exchange/ask-exchange.test.ts',
  'apps/server/src/features/pools/harvest/foreign-money.test.ts',
  'apps/server/src/features/transfers/engine/signing/backed-transfers.test.ts',
  'apps/server/src/wiring/check-settings.test.ts',
];

/** Screens and parts of the console in a browser, over answers in place of a server. */
const COMPONENTS = '**/*.component.test.tsx';

/**
 * Files share what they load: loading the code anew for each took longer than most files' tests. Nothing in it keeps
 * state: whoever needs some is given it.
 */
const SHARED = {
  isolate: false,
  // Patience, not a measure: a process that a test waits for takes longer than the default of a second to start.
  expect: { poll: { timeout: 30_000 } },
  // The summary of a run has the first line of each failure: it says what was found.
  chaiConfig: { truncateThreshold: 0 },
  // See `scripts/test.mjs`: without it, V8 can crash on some processors.
  execArgv: ['--no-memory-protection-keys'],
};

export default defineConfig({
  test: {
    // One more than cores: tests wait for databases, chains and processes.
    maxWorkers: 3,
    projects: [
      {
        resolve: { alias: { '@': here('./apps/console/src') } },
        test: {
          ...SHARED,
          name: 'unit',
          include: [
            'packages/**/*.test.ts',
            'apps/console/**/*.test.{ts,tsx}',
            'apps/**/*.unit.test.ts',
            'scripts/**/*.test.ts',
            'bench/**/*.test.ts',
          ],
          exclude: [...SOCKETS, LONG, COMPONENTS, '**/node_modules/**'],
          // Patience, not a measure: on a busy machine generated cases took longer than the default of 5 s.
          testTimeout: 60_000,
        },
      },
      {
        // The console's own plugins, style sheet and fonts.
        extends: './apps/console/vite.config.ts',
        // All packages, before the first file runs: one that is found later loads the page again, in the middle of a test.
        optimizeDeps: { entries: ['src/**/*.tsx'], include: ['axe-core', 'vitest-browser-react/pure'] },
        test: {
          ...SHARED,
          name: 'components',
          include: [COMPONENTS],
          // Windows beside each other: a window waits for frames, clicks and clocks two fifths of its time.
          maxWorkers: 4,
          // Patience, not a measure: checks with axe take seconds on a busy machine.
          testTimeout: 60_000,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: chromiumLaunch,
              contextOptions: { locale: 'en-US', timezoneId: 'UTC', reducedMotion: 'reduce' },
              actionTimeout: 10_000,
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        test: {
          ...SHARED,
          name: 'exchanges',
          include: SOCKETS,
          exclude: ['**/node_modules/**'],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          ...SHARED,
          name: 'server',
          include: ['apps/server/**/*.test.ts', 'tests/api/**/*.test.ts'],
          exclude: ['**/*.unit.test.ts', LONG, '**/node_modules/**'],
          globalSetup: ['tests/support/database-setup.ts'],
          provide: { isLong: false },
          // Patience as below: a file loads a demo world before its tests.
          testTimeout: 120_000,
          hookTimeout: 180_000,
        },
      },
      {
        // `npm run test:long`, not `npm test`.
        test: {
          ...SHARED,
          name: 'long',
          include: [LONG, ...IN_PARTS],
          exclude: ['**/node_modules/**'],
          globalSetup: ['tests/support/database-setup.ts'],
          provide: { isLong: true },
          testTimeout: 3_600_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'chaos',
          include: ['bench/chaos/**/*.chaos.ts'],
          globalSetup: ['tests/support/database-setup.ts'],
          // Hundreds of kills, one after the other.
          testTimeout: 7_200_000,
        },
      },
      {
        test: {
          name: 'pool-runs',
          include: ['bench/*.world.ts'],
          globalSetup: ['tests/support/database-setup.ts'],
          testTimeout: 1_200_000,
        },
      },
      {
        test: {
          ...SHARED,
          name: 'start',
          include: ['tests/start/**/*.test.ts'],
          exclude: [LONG, '**/node_modules/**'],
          // Patience, not a measure: a test starts the product several times, on a machine that may be busy.
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
