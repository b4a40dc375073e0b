// `npm test`: everything that must hold, cheapest first, up to the first failure. The last line is the sum of all
// test runners. `npm test -- unit e2e` runs the named steps only.
import { rmSync } from 'node:fs';
import { runCheck } from './test-run/run-check.mjs';
import { countPlaywright, countVitest, reportFile } from './test-run/test-counts.mjs';

// Dots: what is printed of a step that fails is its failures and not a list of what went well.
const vitest = (name, what) => ({
  name,
  what,
  command: [
    'vitest',
    'run',
    '--project',
    name,
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${reportFile(name)}`,
  ],
  count: countVitest,
});

/** Steps of one group run beside each other: one waits for a process or a clock while another one computes. */
const GROUPS = [
  [
    { name: 'format', what: 'format and lint', command: ['biome', 'check', '--error-on-warnings'] },
    { name: 'types', what: 'types of server, packages and tests', command: ['tsc', '-p', '.'] },
    { name: 'console-types', what: 'types of the console', command: ['tsc', '-p', 'apps/console'] },
    { name: 'boundaries', what: 'import boundaries and cycles', command: ['node', 'scripts/boundaries.ts'] },
    { name: 'dead-code', what: 'dead code and dependencies', command: ['knip', '--no-progress'] },
  ],
  [vitest('unit', 'unit tests'), vitest('exchanges', 'exchanges and their simulators')],
  [vitest('server', 'server tests'), vitest('start', 'start and stop')],
  [
    {
      name: 'e2e',
      what: 'browser tests',
      command: ['playwright', 'test', '--reporter=dot,json'],
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile('e2e') },
      count: countPlaywright,
    },
  ],
];

const wanted = process.argv.slice(2);
const sum = { passed: 0, failed: 0 };

/** Runs a step and adds up its tests; answers whether it passed. */
async function run(step) {
  rmSync(reportFile(step.name), { force: true });
  const ok = await runCheck(step);
  const counts = step.count?.(step.name) ?? { passed: 0, failed: 0, skipped: 0 };
  if (counts.skipped > 0) console.log(`  ${counts.skipped} of the ${step.what} were skipped`);
  if (counts.flaky > 0)
    console.log(`  ${counts.flaky} of the ${step.what} passed at the second attempt only`);
  sum.passed += counts.passed;
  // A check without tests, or a runner that broke down before its tests, is one failure.
  sum.failed += ok ? counts.failed : Math.max(counts.failed, 1);
  return ok;
}

for (const group of GROUPS) {
  const steps = group.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  const passed = await Promise.all(steps.map(run));
  if (passed.includes(false)) break;
}

console.log(`\n${sum.passed} passed, ${sum.failed} failed`);
process.exitCode = sum.failed === 0 ? 0 : 1;
