import { readFileSync } from 'node:fs';
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

/**
 * The files of a step that failed, with the first line of each failure.
 *
 * @returns {{ file: string, failures: string[] }[]}
 */
export function failedVitestFiles(step) {
  const { testResults = [] } = readReport(step) ?? {};
  return testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name, message, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      const failures = failed.map((test) => `${test.fullName}: ${firstLine(test.failureMessages[0])}`);
      // A file can fail as a whole, before its first test.
      return {
        file: relative(projectDir, name),
        failures: failures.length > 0 ? failures : [firstLine(message)],
      };
    });
}

/** The same of browser tests: those that failed at each of their attempts. */
export function failedPlaywrightFiles(step) {
  const { suites = [], config } = readReport(step) ?? {};
  const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];
  return suites
    .map((suite) => ({
      file: relative(projectDir, join(config.rootDir, suite.file)),
      failures: specsOf(suite)
        .filter(({ ok }) => !ok)
        .map(({ title, tests }) => `${title}: ${firstLine(lastErrorOf(tests))}`),
    }))
    .filter(({ failures }) => failures.length > 0);
}

const lastErrorOf = (tests) =>
  tests.flatMap(({ results }) => results).findLast(({ error }) => error)?.error?.message;

const firstLine = (text = '') => stripVTControlCharacters(text).trim().split('\n', 1)[0].slice(0, 300);

/** A flaky test failed once and passed at its second attempt: it counts as passed, and is reported separately. */
export function countPlaywright(step) {
  const { stats } = readReport(step) ?? {};
  return (
    stats && {
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected,
      skipped: stats.skipped,
      flaky: stats.flaky,
    }
  );
}

function readReport(step) {
  try {
    return JSON.parse(readFileSync(reportFileOf(step), 'utf8'));
  } catch {
    return undefined;
  }
}
