import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const isThere = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test('Ctrl-C ends the program of a restore with the command that started it', async () => {
  const binDir = mkdtempSync(join(tmpdir(), 'copydesk-programs-'));
  onTestFinished(() => rmSync(binDir, { recursive: true }));
  const noted = join(binDir, 'pid');
  writeFileSync(
    join(binDir, 'pg_restore'),
    `#!/bin/sh\necho $$ > ${noted}.new\nmv ${noted}.new ${noted}\nexec sleep 600\n`,
    {
      mode: 0o755,
    },
  );
  const command = `const { runProgram } = await import(${JSON.stringify(new URL('./programs.ts', import.meta.url).href)});
    await runProgram('pg_restore', [], ${JSON.stringify({ binDir, url: null })});`;
  // A shell gives each command a group, which Ctrl-C reaches as a whole.
  const child = spawn(process.execPath, ['--input-type=module', '--eval', command], { detached: true });
  await expect.poll(() => existsSync(noted)).toBe(true);
  const program = Number(readFileSync(noted, 'utf8'));
  onTestFinished(() => void (isThere(program) && process.kill(program, 'SIGKILL')));
  process.kill(-(child.pid as number), 'SIGINT');
  await expect.poll(() => isThere(program)).toBe(false);
});
