import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../prepare/project.mjs';
import { runCheck } from './run-check.mjs';
import { failedPlaywrightFiles, failedVitestFiles } from './test-counts.mjs';

/** More failed files than this are no coincidence. What breaks a product that browser tests share fails several. */
const MOST_FILES = 4;
/** Tests that search at random: their failure is a find, which another seed would hide. */
const RANDOM = /SEED|fast-check/;

/**
 * Runs the failed files of a step once more, alone, browser tests with new products: on a machine with other work a
 * process can wait so long that a test's limits are exceeded. Names each failure, so that a test that needs this often is
 * noticed.
 *
 * @returns {Promise<{ passed: boolean, failures: string[] }>} whether they all passed this time, and what failed first
 */
export async function tryAgain(step) {
  const listFailed = step.command.includes('playwright') ? failedPlaywrightFiles : failedVitestFiles;
  const failed = listFailed(step.name);
  const failures = failed.flatMap((each) => each.failures.map((failure) => `${each.file}: ${failure}`));
  for (const failure of failures) console.log(`  ${failure}`);
  const files = failed.map(({ file }) => file);
  if (files.length === 0 || files.length > MOST_FILES || files.some(isRandom))
    return { passed: false, failures };
  const isReport = (option) => option.startsWith('--reporter=json') || option.startsWith('--outputFile');
  const passed = await runCheck({
    ...step,
    what: `${step.what}, second attempt`,
    command: [
      ...step.command
        .filter((option) => !isReport(option))
        .map((option) => option.replace('dot,json', 'dot')),
      ...files,
    ],
  });
  return { passed, failures };
}

/** A failed step's report has no failure, or is missing, when the runner or one of its processes crashed. */
export const failureIsNamed = (step) =>
  (step.count(step.name)?.failed ?? 0) > 0 || failedVitestFiles(step.name).length > 0;

/** Runs a step once more whose runner crashed before it could name a failure. */
export function runWholeAgain(step) {
  return runCheck({ ...step, what: `${step.what}, second attempt after a crash of the runner` });
}

const isRandom = (file) => RANDOM.test(readFileSync(join(projectDir, file), 'utf8'));
