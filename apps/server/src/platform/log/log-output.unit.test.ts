import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const here = (path: string) => JSON.stringify(fileURLToPath(new URL(path, import.meta.url)));

/** A server that logs for some time, and writes its memory in bytes to standard error. */
const loggingFor = (ms: number) => `
  import { createLog } from ${here('./log.ts')};
  import { onShutdown } from ${here('../process/shutdown.ts')};
  const log = createLog('info', 'test');
  onShutdown(log, async () => {});
  const logging = setInterval(() => { for (let n = 0; n < 500; n++) log.info({ text: 'x'.repeat(500) }, 'a line'); }, 10);
  setTimeout(() => clearInterval(logging), ${ms});
  setInterval(() => console.error(process.pid + ' ' + process.memoryUsage.rss()), 250);
  console.error(process.pid + ' 0');`;

/** Runs it with its log into a program. */
function startInto(reader: string, loggingMs: number) {
  const command = `"$NODE" --no-warnings --input-type=module-typescript -e "$LOGGING" | ${reader}`;
  const shell = spawn('sh', ['-c', command], {
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', NODE: process.execPath, LOGGING: loggingFor(loggingMs) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  onTestFinished(() => {
    if (shell.pid && shell.exitCode === null) process.kill(-shell.pid, 'SIGKILL');
  });
  let said = '';
  shell.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const rows = () =>
    said
      .trim()
      .split('\n')
      .map((line) => line.split(' ').map(Number));
  return { shell, rows, pid: () => rows()[0]?.[0] ?? 0 };
}

/** A process that has ended stays a zombie until its shell, which waits for the reader first, collects it. */
const isRunning = (pid: number) =>
  existsSync(`/proc/${pid}/status`) && /^State:\s+[^ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));

test('a program that does not read the log holds up neither the work nor the end of a server', {
  timeout: 60_000,
}, async () => {
  const { rows, pid } = startInto('sleep 60', 60_000);
  // By now it has noticed that nothing reads its output, and works on.
  await expect.poll(() => rows().length, { timeout: 40_000 }).toBeGreaterThan(30);
  const memory = rows().map(([, bytes]) => bytes ?? 0);
  expect(Math.max(...memory)).toBeLessThan(400_000_000);
  process.kill(pid(), 'SIGTERM');
  await expect.poll(() => isRunning(pid()), { timeout: 10_000 }).toBe(false);
});

test('a program that has ended does not hold up the end of a server whose first line since then is its last', {
  timeout: 30_000,
}, async () => {
  const { rows, pid } = startInto('true', 0);
  await expect.poll(() => rows().length, { timeout: 20_000 }).toBeGreaterThan(3);
  process.kill(pid(), 'SIGTERM');
  await expect.poll(() => isRunning(pid()), { timeout: 5_000 }).toBe(false);
});

test('lines that were gathered are written at the end, and dropped ones are counted', {
  timeout: 60_000,
}, async () => {
  const { shell, rows, pid } = startInto('(sleep 4; cat)', 3_000);
  let text = '';
  shell.stdout.on('data', (chunk) => {
    text += chunk;
  });
  await expect.poll(() => text.includes('were dropped'), { timeout: 40_000 }).toBe(true);
  expect(rows().length).toBeGreaterThan(8);
  process.kill(pid(), 'SIGTERM');
  await once(shell, 'close');
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.find(({ msg }) => msg.includes('were dropped')).lines).toBeGreaterThan(0);
  expect(lines.at(-1).msg).toMatch(/a line|shutting down/);
  expect(lines.some(({ msg }) => msg === 'shutting down')).toBe(true);
});
