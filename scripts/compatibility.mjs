// `npm test -- compatibility`: the API tests of the version before, on the schema of this one. While an upgrade runs,
// and after one that was taken back, that is what serves requests.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectDir, projectNode } from './prepare/project.mjs';

const MIGRATIONS = 'apps/server/migrations';
/** Every call, by every kind of caller. Tests of generated files compare the schema, which is another one on purpose. */
const TESTS = ['tests/api/matrix.test.ts', 'tests/api/catalogue.test.ts', 'tests/api/row-security.test.ts'];
const MODULES = ['node_modules', 'apps/server/node_modules', 'apps/console/node_modules'];

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: projectDir, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
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
  for (const modules of MODULES) symlinkSync(join(projectDir, modules), join(folder, modules));
  // It knows the new migrations by their files alone, as a database does that has them.
  cpSync(join(projectDir, MIGRATIONS), join(folder, MIGRATIONS), { recursive: true });
  console.log(`The tests of ${before.slice(0, 8)}, before ${newest}, on the schema with it`);
  const vitest = join(projectDir, 'node_modules/vitest/vitest.mjs');
  const args = ['--no-memory-protection-keys', vitest, 'run', '--project', 'server', ...TESTS];
  const { status } = spawnSync(projectNode, args, { cwd: folder, stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  git('worktree', 'remove', '--force', folder);
  rmSync(join(folder, '..'), { recursive: true, force: true });
}
