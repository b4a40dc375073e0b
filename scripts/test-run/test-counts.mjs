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

const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];

/** The same of browser tests: those that failed at each of their attempts. */
export const failedPlaywrightFiles = (step) => playwrightFiles(step, ({ ok }) => !ok);

function playwrightFiles(step, isMeant) {
  const { suites = [], config } = readReport(step) ?? {};
  return suites
    .map((suite) => ({
      file: relative(projectDir, join(config.rootDir, suite.file)),
      failures: specsOf(suite)
        .filter(isMeant)
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
  const isFlaky = ({ tests }) => tests.some(({ status }) => status === 'flaky');
  return (
    stats && {
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected,
      skipped: stats.skipped,
      flaky: playwrightFiles(step, isFlaky).flatMap(({ file, failures }) =>
        failures.map((failure) => `${file}: ${failure}`),
      ),
    }
  );
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

function readReport(step) {
  try {
    return JSON.parse(readFileSync(reportFileOf(step), 'utf8'));
  } catch {
    return undefined;
  }
}
