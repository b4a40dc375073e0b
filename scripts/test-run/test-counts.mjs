import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir } from '../prepare/project.mjs';

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
