import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** A folder where it cannot be written, as a service sees it; null where this machine mounts nothing. */
function mountReadOnly(source: string): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'copydesk-read-only-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  try {
    execFileSync('/usr/bin/mount', ['--bind', source, folder], { stdio: 'ignore' });
    onTestFinished(() => void execFileSync('/usr/bin/umount', [folder]));
    execFileSync('/usr/bin/mount', ['-o', 'remount,ro,bind', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    return null;
  }
}

/** Patience, not a measure: it used to wait for ever. */
const prepare = (cwd: string) =>
  spawnSync(process.execPath, ['scripts/prepare.mjs', 'start'], { cwd, encoding: 'utf8', timeout: 600_000 });

test('a prepared folder that cannot be written needs no preparation', (context) => {
  const tree = mountReadOnly(PROJECT);
  if (tree === null) return context.skip();
  expect(prepare(tree)).toMatchObject({ status: 0, stdout: '', stderr: '' });
});

test('one that is not prepared says where to prepare it', (context) => {
  const bare = mkdtempSync(join(tmpdir(), 'copydesk-bare-'));
  onTestFinished(() => rmSync(bare, { recursive: true }));
  mkdirSync(join(bare, 'scripts'));
  for (const name of ['package.json', 'package-lock.json', 'scripts/prepare.mjs', 'scripts/prepare'])
    cpSync(join(PROJECT, name), join(bare, name), { recursive: true });
  const tree = mountReadOnly(bare);
  if (tree === null) return context.skip();
  const { status, stderr } = prepare(tree);
  expect(status).toBe(1);
  expect(stderr).toContain('This folder cannot be written, and it is not prepared yet.');
});
