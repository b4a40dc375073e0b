// `npm test -- compatibility`: the API tests of the version before, on the schema of this one. While an upgrade runs,
// and after one that was taken back, that is what serves requests.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { projectDir, projectNode } from './prepare/project.mjs';
import { reportFileOf } from './test-run/test-counts.mjs';

const MIGRATIONS = 'apps/server/migrations';
/** Every call, by every kind of caller. Tests that list tables are left out: there are more on purpose. */
const TESTS = ['tests/api/matrix.test.ts', 'tests/api/catalogue.test.ts'];
const OWN_SCOPE = '@copydesk';

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: projectDir, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

/** The installed packages, with its own workspaces in place of ours. */
function linkModules(folder) {
  for (const app of ['apps/server', 'apps/console'])
    symlinkSync(join(projectDir, app, 'node_modules'), join(folder, app, 'node_modules'));
  const [installed, linked] = [join(projectDir, 'node_modules'), join(folder, 'node_modules')];
  mkdirSync(join(linked, OWN_SCOPE), { recursive: true });
  for (const name of readdirSync(installed))
    if (name !== OWN_SCOPE) symlinkSync(join(installed, name), join(linked, name));
  for (const name of readdirSync(join(installed, OWN_SCOPE))) {
    const workspace = relative(projectDir, realpathSync(join(installed, OWN_SCOPE, name)));
    symlinkSync(join(folder, workspace), join(linked, OWN_SCOPE, name));
  }
}

const newest = readdirSync(join(projectDir, MIGRATIONS)).sort().at(-1);
const added = git('log', '--diff-filter=A', '--format=%H', '-1', '--', `${MIGRATIONS}/${newest}`);
if (added === '') {
  console.log(`${newest} is not committed yet: the version before is the last commit.`);
}
const before = git('rev-parse', added === '' ? 'HEAD' : `${added}^1`);
const folder = join(mkdtempSync(join(tmpdir(), 'copydesk-before-')), 'copydesk');
git('worktree', 'add', '--detach', folder, before);
try {
  linkModules(folder);
  // It knows the new migrations by their files alone, as a database does that has them.
  rmSync(join(folder, MIGRATIONS), { recursive: true });
  cpSync(join(projectDir, MIGRATIONS), join(folder, MIGRATIONS), { recursive: true });
  console.log(`The tests of ${before.slice(0, 8)}, before ${newest}, on the schema with it`);
  const vitest = join(projectDir, 'node_modules/vitest/vitest.mjs');
  const report = ['--reporter=dot', '--reporter=json', `--outputFile.json=${reportFileOf('compatibility')}`];
  const args = ['--no-memory-protection-keys', vitest, 'run', '--project', 'server', ...report, ...TESTS];
  const { status } = spawnSync(projectNode, args, { cwd: folder, stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  git('worktree', 'remove', '--force', folder);
  rmSync(join(folder, '..'), { recursive: true, force: true });
}
