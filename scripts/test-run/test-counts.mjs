import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir } from '../prepare/project.mjs';

/** The result file of each test runner, one after the other. */
export const reportFile = join(cacheDir, 'test-report.json');

/** @returns {{ passed: number, failed: number, skipped: number } | undefined} undefined when there is no report */
export function countVitest() {
  const report = readReport();
  return (
    report && {
      passed: report.numPassedTests,
      failed: report.numFailedTests,
      skipped: report.numPendingTests + report.numTodoTests,
    }
  );
}

/** A flaky test failed once and passed at its second attempt: it counts as passed, and is reported separately. */
export function countPlaywright() {
  const { stats } = readReport() ?? {};
  return (
    stats && {
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected,
      skipped: stats.skipped,
      flaky: stats.flaky,
    }
  );
}

function readReport() {
  try {
    return JSON.parse(readFileSync(reportFile, 'utf8'));
  } catch {
    return undefined;
  }
}
