// `npm test`: all checks, cheapest first. Tests of code that does not compile are not run; a failed test step
// does not stop the later steps, so one run reports everything that fails. The last line is the sum of all
// test runners. `npm test -- unit e2e` runs the named steps only, and `npm test -- invoices` the tests of
// that feature. `npm run test:long` runs the steps that take long in the same way.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { cacheDir, projectDir } from './prepare/project.mjs';
import { chooseSteps } from './test-run/choose-steps.ts';
import { runCheck } from './test-run/run-check.mjs';
import {
  countPlaywright,
  countVitest,
  failedTests,
  reportFileOf,
  timedFiles,
} from './test-run/test-counts.mjs';
import { timeTable } from './test-run/time-table.ts';

const words = process.argv.slice(2);
// `npm test -- e2e-hosted`: all browser tests of the console, in this mode. As one of the long steps, only its own.
const isAllHosted = words.includes('e2e-hosted') && !words.includes('--long');

// Dots: the output of a failed step contains its failures without a list of successes.
const vitest = (project, options = [], report = project) => ({
  command: [
    'node',
    // On processors with memory protection keys, V8 sometimes ends a process with "Check failed: jit_page.has_value()".
    // The configuration passes the same flag to the forks.
    '--no-memory-protection-keys',
    'node_modules/vitest/vitest.mjs',
    'run',
    ...options,
    '--project',
    project,
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${reportFileOf(report)}`,
  ],
  count: countVitest,
  narrow: (parts) => ['--passWithNoTests', ...parts],
});

/** Checks of the source, which the tests after them take for granted. */
const FIRST_ROUND = 1;

/**
 * Steps of one round run side by side: one core each for most of their time, or waiting for processes that they started.
 * The server and the browser tests keep every core busy, and run alone.
 */
const STEPS = [
  {
    name: 'format',
    round: 1,
    what: 'format and lint',
    command: ['biome', 'check', '--error-on-warnings'],
    remedy: '`npm run format` mends what it can',
  },
  { name: 'types', round: 1, what: 'types of server, packages and tests', command: typesOf('.') },
  { name: 'console-types', round: 1, what: 'types of the console', command: typesOf('apps/console') },
  {
    name: 'boundaries',
    round: 1,
    what: 'import boundaries and cycles',
    command: ['node', 'scripts/boundaries.ts'],
  },
  {
    name: 'lint-migrations',
    round: 1,
    what: 'locks of new migrations',
    command: ['node', 'scripts/lint-migrations.ts'],
  },
  { name: 'dead-code', round: 1, what: 'dead code and dependencies', command: ['knip', '--no-progress'] },
  { name: 'unit', round: 2, what: 'unit tests', ...vitest('unit') },
  { name: 'exchanges', round: 3, what: 'exchanges and their simulators', ...vitest('exchanges') },
  { name: 'start', round: 3, what: 'start and stop', ...vitest('start') },
  // A core for Vite and one for the browser.
  { name: 'components', round: 4, what: 'components in a browser', ...vitest('components') },
  // Alone on the machine, and waiting more than the others: with three workers the cores are idle a third of the time. With
  // five, a process can be kept waiting so long that it turns requests away, as it should.
  { name: 'server', round: 5, what: 'server tests', ...vitest('server', ['--maxWorkers=4']) },
  {
    name: 'e2e',
    round: 6,
    what: 'browser tests',
    command: ['playwright', 'test', '--project', 'chromium', '--reporter=dot,json'],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: reportFileOf('e2e') },
    count: countPlaywright,
    // Playwright matches patterns against whole paths, and the project's folder may have any name.
    narrow: (parts) => ['--pass-with-no-tests', ...parts.map((part) => `tests/e2e/.*${part}`)],
  },
  {
    name: 'long',
    round: 7,
    what: 'kills, storms, outages and restarts',
    ...vitest('long'),
    isLong: true,
  },
  {
    name: 'e2e-long',
    round: 8,
    what: 'browser tests that take long',
    command: ['playwright', 'test', '--project', 'long', '--reporter=dot,json'],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: reportFileOf('e2e-long') },
    count: countPlaywright,
    narrow: (parts) => ['--pass-with-no-tests', ...parts.map((part) => `tests/e2e/.*${part}`)],
    isLong: true,
  },
  {
    name: 'e2e-hosted',
    round: 9,
    isLong: true,
    what: 'browser tests of hosted sign-in',
    command: ['playwright', 'test', '-c', 'tests/e2e-hosted/playwright.config.ts', '--reporter=dot,json'],
    env: {
      PLAYWRIGHT_JSON_OUTPUT_FILE: reportFileOf('e2e-hosted'),
      ...(isAllHosted ? { E2E_HOSTED: 'whole' } : {}),
    },
    count: countPlaywright,
    narrow: (parts) => [
      '--pass-with-no-tests',
      ...parts.map((part) => `tests/e2e${isAllHosted ? '(-hosted)?' : '-hosted'}/.*${part}`),
    ],
  },
  {
    name: 'changed',
    round: 2,
    what: 'unit tests of what changed',
    ...vitest('unit', ['--passWithNoTests', '--changed', startOfChanges()], 'changed'),
    onDemand: true,
  },
  {
    name: 'generated',
    round: 3,
    what: 'generated files',
    ...vitest(
      'server',
      ['generated', 'rendered-statements', 'security-document'].map((file) => `tests/api/${file}.test.ts`),
      'generated',
    ),
    remedy: '`npm run generate` writes them',
    onDemand: true,
  },
  {
    name: 'matrix',
    round: 4,
    what: 'who may call what, and answers as the contract has them',
    ...vitest('server', ['tests/api/matrix.test.ts'], 'matrix'),
    onDemand: true,
  },
  {
    name: 'compatibility',
    round: 10,
    isLong: true,
    what: 'API tests of the version before, on the new schema',
    command: ['node', 'scripts/compatibility.mjs'],
    count: countVitest,
  },
  ...['15', '16', '17', '18'].map((major) => ({
    name: `postgres-${major}`,
    round: 11,
    what: `server tests on PostgreSQL ${major} with unusual settings`,
    command: ['node', 'scripts/other-postgres.mjs', major],
    count: countVitest,
    onDemand: true,
  })),
];

/** Types of what changed since the last run. */
function typesOf(folder) {
  const known = join(cacheDir, `types-${basename(join(projectDir, folder))}.tsbuildinfo`);
  return ['tsc', '-p', folder, '--incremental', '--tsBuildInfoFile', known];
}

/** The commit at which the present changes begin. */
function startOfChanges() {
  const ask = (...args) => spawnSync('git', args, { encoding: 'utf8' }).stdout?.trim();
  return ask('merge-base', 'HEAD', 'origin/main') || 'HEAD~1';
}

const steps = chooseSteps(STEPS, words);
const sum = { passed: 0, failed: 0 };
/** The seconds of each step. */
const seconds = new Map();

/** Runs a step, and adds its tests to the sum. Returns whether it passed. */
async function run(step) {
  rmSync(reportFileOf(step.name), { force: true });
  const startedAt = Date.now();
  const ok = await runCheck(step);
  seconds.set(step.name, (Date.now() - startedAt) / 1000);
  const { passed, failed, skipped } = step.count?.(step.name) ?? { passed: 0, failed: 0, skipped: 0 };
  if (skipped > 0) console.log(`  ${skipped} of the ${step.what} were skipped`);
  sum.passed += passed;
  // A check without tests, or a runner that crashed before its tests, is one failure.
  sum.failed += ok ? failed : Math.max(failed, 1);
  return ok;
}

// Ctrl-C ends the whole run, not only its present step.
let isEnded = false;
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => (isEnded = true));

for (const round of new Set(steps.map((step) => step.round))) {
  const passed = await Promise.all(steps.filter((step) => step.round === round).map(run));
  if (isEnded || (round === FIRST_ROUND && passed.includes(false))) break;
}

// A misspelt word must not look like success.
if (steps.every((step) => step.narrow) && sum.passed + sum.failed === 0) {
  console.log(`\nNo step and no test file is named ${words.join(' or ')}`);
  sum.failed = 1;
}
console.log(`\n${timeTable(seconds, timedFiles)}`);
// In the last lines, which every log keeps.
const failures = [...seconds.keys()].flatMap(failedTests);
if (failures.length > 0) console.log(`\nFailed:\n${failures.map((each) => `  ${each}`).join('\n')}`);
console.log(`\n${sum.passed} passed, ${sum.failed} failed`);
process.exitCode = sum.failed === 0 ? 0 : 1;
