// `npm test`: all checks, cheapest first, up to the first failure. The last line is the sum of all test runners. `npm
// test -- unit e2e` runs the named steps only, and `npm test -- invoices` the tests of that feature.
import { rmSync } from 'node:fs';
import { chooseSteps } from './test-run/choose-steps.ts';
import { runCheck } from './test-run/run-check.mjs';
import { countPlaywright, countVitest, reportFile } from './test-run/test-counts.mjs';

// Dots: the output of a failed step contains its failures without a list of successes.
const vitest = (project) => ({
  command: [
    'vitest',
    'run',
    '--project',
    project,
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${reportFile}`,
  ],
  count: countVitest,
  narrow: (parts) => ['--passWithNoTests', ...parts],
});

const STEPS = [
  { name: 'format', what: 'format and lint', command: ['biome', 'check', '--error-on-warnings'] },
  { name: 'types', what: 'types of server, packages and tests', command: ['tsc', '-p', '.'] },
  { name: 'console-types', what: 'types of the console', command: ['tsc', '-p', 'apps/console'] },
  { name: 'boundaries', what: 'import boundaries and cycles', command: ['node', 'scripts/boundaries.ts'] },
  { name: 'dead-code', what: 'dead code and dependencies', command: ['knip', '--no-progress'] },
  { name: 'unit', what: 'unit tests', ...vitest('unit') },
  { name: 'exchanges', what: 'exchanges and their simulators', ...vitest('exchanges') },
  { name: 'server', what: 'server tests', ...vitest('server') },
  { name: 'start', what: 'start and stop', ...vitest('start') },
  {
    name: 'e2e',
    what: 'browser tests',
    command: ['playwright', 'test', '--reporter=dot,json'],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile },
    count: countPlaywright,
    // Playwright matches patterns against whole paths, and the project's folder may have any name.
    narrow: (parts) => ['--pass-with-no-tests', ...parts.map((part) => `tests/e2e/.*${part}`)],
  },
];

const words = process.argv.slice(2);
const steps = chooseSteps(STEPS, words);
const sum = { passed: 0, failed: 0 };

for (const step of steps) {
  rmSync(reportFile, { force: true });
  const ok = await runCheck(step);
  const counts = step.count?.() ?? { passed: 0, failed: 0, skipped: 0 };
  if (counts.skipped > 0) console.log(`  ${counts.skipped} of the ${step.what} were skipped`);
  if (counts.flaky > 0)
    console.log(`  ${counts.flaky} of the ${step.what} passed at the second attempt only`);
  sum.passed += counts.passed;
  // A check without tests, or a runner that crashed before its tests, is one failure.
  sum.failed += ok ? counts.failed : Math.max(counts.failed, 1);
  if (!ok) break;
}

// A misspelt word must not look like success.
if (steps.every((step) => step.narrow) && sum.passed + sum.failed === 0) {
  console.log(`\nNo step and no test file is named ${words.join(' or ')}`);
  sum.failed = 1;
}
console.log(`\n${sum.passed} passed, ${sum.failed} failed`);
process.exitCode = sum.failed === 0 ? 0 : 1;
