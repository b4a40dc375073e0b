import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// The tests of this package in a copy of it: the packages below `node_modules` are those of the original.
export default defineConfig({
  root: here('../..'),
  resolve: {
    alias: [
      { find: /^@copydesk\/domain\/catalogue$/, replacement: here('./src/catalogue.ts') },
      { find: /^@copydesk\/domain\/(.+)$/, replacement: here('./src/$1/index.ts') },
    ],
  },
  test: {
    dir: here('./src'),
    include: ['**/*.test.ts'],
    // Long searches: seconds for each change, and what they prove has its own test beside the rule.
    exclude: [
      '**/*.long.test.ts',
      '**/*.search.test.ts',
      '**/{pool-histories,ledger-sequences}.test.ts',
      '**/node_modules/**',
    ],
    // Each change has a worker of its own, which loads the modules once for all files. Isolated,
    // the tests of pools took twice the processor time.
    isolate: false,
    testTimeout: 20_000,
  },
});
