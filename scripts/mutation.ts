// `npm run test:mutation [folder ...]`: changes the code of `packages/domain` in every small way that Stryker knows, and
// counts the changes that no test of the same folder notices. Results of unchanged code are kept in `.cache/mutation`.
// A change that survives gets a test of the rule, or simpler code in which it cannot arise. Where no input can show it,
// `// Stryker disable next-line` says why. Values of lists `as const` are not changed: the compiler notices those.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Stryker } from '@stryker-mutator/core';

/** `invoices` has the splits. */
const FOLDERS = ['money', 'invoices', 'ledger', 'payouts', 'access', 'pools'];
/** Per cent of the changes that the tests of a folder have to notice. */
const LEAST = 90;

const wanted = process.argv.slice(2);
const unknown = wanted.filter((folder) => !FOLDERS.includes(folder));
if (unknown.length > 0) {
  console.error(`No such folder: ${unknown.join(', ')}. There are ${FOLDERS.join(', ')}.`);
  process.exit(1);
}
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
mkdirSync('.cache/mutation', { recursive: true });

const rows: Record<string, string | number>[] = [];
for (const folder of wanted.length > 0 ? wanted : FOLDERS) {
  const results = await mutate(folder);
  const count = (status: (typeof results)[number]['status']) =>
    results.filter((one) => one.status === status).length;
  const [killed, timeout, survived, uncovered] = (
    ['Killed', 'Timeout', 'Survived', 'NoCoverage'] as const
  ).map(count) as [number, number, number, number];
  const mutants = killed + timeout + survived + uncovered;
  const percent = Math.floor(((killed + timeout) * 1000) / mutants) / 10;
  rows.push({ folder, mutants, killed, timeout, survived, uncovered, ignored: count('Ignored'), percent });
}
console.table(rows);
const weak = rows.filter(({ percent }) => Number(percent) < LEAST);
if (weak.length > 0) {
  console.error(`Fewer than ${LEAST} % are noticed in ${weak.map(({ folder }) => folder).join(', ')}.`);
  process.exitCode = 1;
}

function mutate(folder: string) {
  const source = `packages/domain/src/${folder}`;
  const results = `.cache/mutation/${folder}.json`;
  forgetSurvivors(results);
  return new Stryker({
    mutate: [`${source}/**/*.ts`, `!${source}/**/*.test.ts`],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    // Tests of other folders notice more, but take minutes: a rule is proved where it is written.
    vitest: { configFile: 'packages/domain/vitest.mutation.config.ts', dir: source },
    coverageAnalysis: 'perTest',
    incremental: true,
    incrementalFile: results,
    // One core: the others stay free for other work on the machine.
    concurrency: 1,
    timeoutMS: 10_000,
    // All that the tests of the package read.
    ignorePatterns: [
      '/*',
      '!/packages',
      '!/tests',
      '/tests/*',
      '!/tests/support',
      '!/apps',
      '/apps/*',
      '!/apps/server',
      '/apps/server/*',
      '!/apps/server/schema',
      'node_modules',
    ],
    tempDirName: '.cache/mutation/sandbox',
    reporters: ['clear-text', 'html'],
    htmlReporter: { fileName: `.cache/mutation/${folder}.html` },
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: false },
    allowConsoleColors: false,
  }).runMutationTest();
}

/** Stryker does not see that a new test notices what a module computes when it is loaded: each survivor is tried again. */
function forgetSurvivors(results: string) {
  if (!existsSync(results)) return;
  const report: { files: Record<string, { mutants: { status: string }[] }> } = JSON.parse(
    readFileSync(results, 'utf8'),
  );
  for (const source of Object.values(report.files))
    source.mutants = source.mutants.filter(({ status }) => status !== 'Survived');
  writeFileSync(results, JSON.stringify(report));
}
