import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Tests of the exchanges over real sockets, which take longer than a unit test may. */
const SOCKETS = [
  'tests/exchanges/**/*.test.ts',
  'apps/simulators/src/{venues,bin,chain}/**/*.unit.test.ts',
  'apps/server/src/integrations/exchanges/*.unit.test.ts',
];

export default defineConfig({
  test: {
    maxWorkers: 2,
    // Loading the code anew for each file took longer than many a file's tests. Nothing in it keeps state: whoever
    // needs some is given it.
    isolate: false,
    projects: [
      {
        resolve: { alias: { '@': here('./apps/console/src') } },
        test: {
          name: 'unit',
          include: [
            'packages/**/*.test.ts',
            'apps/console/**/*.test.{ts,tsx}',
            'apps/**/*.unit.test.ts',
            'scripts/**/*.test.ts',
          ],
          exclude: [...SOCKETS, '**/node_modules/**'],
        },
      },
      {
        test: {
          name: 'exchanges',
          include: SOCKETS,
          exclude: ['**/node_modules/**'],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'server',
          include: ['apps/server/**/*.test.ts', 'tests/api/**/*.test.ts'],
          exclude: ['**/*.unit.test.ts', '**/node_modules/**'],
          globalSetup: ['tests/support/database-setup.ts'],
          // Patience as below: a file loads a demo world before its tests.
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'start',
          include: ['tests/start/**/*.test.ts'],
          // Patience, not a measure: a test starts the product several times, on a machine that may be busy.
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
