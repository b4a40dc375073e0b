import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { cacheDir, projectDir } from '../prepare/project.mjs';

/** The result file of a step's test runner. */
export const reportFileOf = (step) => join(cacheDir, `test-report-${step}.json`);

/** @returns {{ passed: number, failed: number, skipped: number } | undefined} undefined when there is no report */
export function countVitest(step) {
  const report = readReport(step);
  return (
    report && {
      passed: report.numPassedTests,
      failed: report.numFailedTests,
      skipped: report.numPendingTests + report.numTodoTests,
    }
  );
}

const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];

/** The same of browser tests. */
export function countPlaywright(step) {
  const { stats, suites = [] } = readReport(step) ?? {};
  if (!stats) return undefined;
  const { expected, flaky, unexpected, skipped } = stats;
  const failed = suites.flatMap(specsOf).flatMap(({ tests }) => tests.filter(hasFailed)).length;
  return { passed: expected + flaky + unexpected - failed, failed, skipped };
}

/** Whether a browser test failed. A second attempt excuses the browser, whose page broke down in the first, not the product. */
function hasFailed({ status, results }) {
  if (status !== 'flaky') return status === 'unexpected';
  return !results.slice(0, -1).every(({ error }) => /\b(page|target) crashed\b/i.test(error?.message ?? ''));
}

/** @returns {{ file: string, seconds: number }[]} the test files of a step, with the time of their tests */
export function timedFiles(step) {
  const { testResults, suites = [], config } = readReport(step) ?? {};
  if (testResults)
    return testResults.map(({ name, startTime, endTime }) => ({
      file: relative(projectDir, name),
      seconds: (endTime - startTime) / 1000,
    }));
  return suites.map((suite) => ({
    file: relative(projectDir, join(config.rootDir, suite.file)),
    seconds:
      specsOf(suite)
        .flatMap(({ tests }) => tests.flatMap(({ results }) => results))
        .reduce((sum, { duration }) => sum + duration, 0) / 1000,
  }));
}

/** @returns {string[]} the failed tests of a step with why, and what the browser showed */
export function failedTests(step) {
  const { testResults, suites = [], config } = readReport(step) ?? {};
  if (testResults)
    return testResults.flatMap(({ name, status, message, assertionResults }) => {
      const failed = assertionResults.filter((each) => each.status === 'failed');
      const file = relative(projectDir, name);
      // A file that could not be loaded, or whose set-up failed, has no failed test.
      if (failed.length === 0 && status === 'failed') return [failure(file, message)];
      return failed.map(({ fullName, failureMessages }) =>
        failure(`${file}: ${fullName}`, failureMessages[0]),
      );
    });
  return suites.flatMap((suite) =>
    specsOf(suite).flatMap(({ title, tests }) =>
      tests.filter(hasFailed).map(({ results }) => {
        const { error, attachments = [] } = results.findLast((each) => each.error) ?? {};
        const file = relative(projectDir, join(config.rootDir, suite.file));
        return failure(`${file}: ${title}`, error?.message, pageOf(attachments));
      }),
    ),
  );
}

/** @returns {string[]} of the page that a browser test failed on, what is beside its navigation */
function pageOf(attachments) {
  const path = attachments.find(({ name }) => name === 'error-context')?.path;
  const [, page = ''] = path && existsSync(path) ? readFileSync(path, 'utf8').split('```yaml\n') : [];
  const lines = page
    .split('```')[0]
    .replace(/ \[(ref|cursor)=[^\]]*\]/g, '')
    .split('\n')
    .filter((line) => !/^\s*- generic:$/.test(line));
  return lines.slice(
    Math.max(
      0,
      lines.findIndex((line) => /^\s*- main\b/.test(line)),
    ),
  );
}

const WHY_LINES = 12;
const SHOWN_LINES = 30;

function failure(test, why = '', page = []) {
  const lines = stripVTControlCharacters(why).trim().split('\n').slice(0, WHY_LINES);
  return [test, ...[...lines, ...page.slice(0, SHOWN_LINES)].map((line) => `    ${line.slice(0, 300)}`)].join(
    '\n',
  );
}

function readReport(step) {
  try {
    return JSON.parse(readFileSync(reportFileOf(step), 'utf8'));
  } catch {
    return undefined;
  }
}
